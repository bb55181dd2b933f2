import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeRule, keywordRule } from './search-fields.ts'
import { joinWords, splitWords } from './split-words.ts'

describe('a line of keywords', () => {
  test.each([
    ['words apart by any space', ' redis  timeout　网关 ', ['redis', 'timeout', '网关']],
    ['a phrase in quotes', 'a "connection reset" b', ['a', 'connection reset', 'b']],
    ['the quotes of a Chinese keyboard', '“连接 被重置” 网关', ['连接 被重置', '网关']],
    ['a quote that is not closed yet', 'a "connection re', ['a', 'connection re']],
    ['quotes and strokes in a phrase', String.raw`"say \"hi\" to C:\\x"`, [String.raw`say "hi" to C:\x`]],
    ['the marks of a list', '连接，网关、磁盘；redis, mysql;', ['连接', '网关', '磁盘', 'redis', 'mysql']],
    ['a number with a comma as one', '1,024', ['1,024']],
    ['what is asked twice as one', 'a b a', ['a', 'b']],
    ['nothing in blank quotes', '"" " " “”', []]
  ])('has %s', (_what, line, words) => {
    expect(splitWords(line, keywordRule)).toEqual(words)
  })

  test('codes are apart by commas too', () => {
    expect(splitWords('E1,E2;E3 "ORA, 600"', codeRule)).toEqual(['E1', 'E2', 'E3', 'ORA, 600'])
  })

  test.each([
    ['keywords', keywordRule],
    ['codes', codeRule]
  ])('%s written as a line are read as the same again, whatever they hold', (_what, rule) => {
    const word = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'a"\\,; “”，') }))
    const words = fc.uniqueArray(word.filter((each) => each.trim() !== ''))
    fc.assert(fc.property(words, (all) => void expect(splitWords(joinWords(all, rule), rule)).toEqual(all)))
  })
})
