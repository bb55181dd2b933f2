import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markWords } from './mark-words.ts'

const marked = (text: string, query: string): string[] =>
  markWords(text, query)
    .filter(({ hit }) => hit)
    .map((piece) => piece.text)

describe('words of the query in a text', () => {
  test.each([
    ['whole words in any case', 'Restart the pod', 'a RESTART of restarting', ['RESTART']],
    ['an identifier as one', 'E_CONN_RESET 怎么恢复', '出现 E_CONN_RESET 后恢复', ['E_CONN_RESET', '恢复']],
    ['parts of camelCase', 'crash looping', 'KubePodCrashLooping', ['CrashLooping']],
    ['pairs of Chinese, joined where they overlap', '连接被重置', '连接重置被拒', ['连接重置']],
    ['a single Chinese letter asked for alone', '库', '数据库', ['库']],
    ['digits', 'error 1042', 'code 1042', ['1042']],
    ['nothing where nothing matches', '磁盘', 'network 网络', []],
    ['no single letters', 'a b', 'a b c', []]
  ])('marks %s', (_what, query, text, expected) => {
    expect(marked(text, query)).toEqual(expected)
  })

  test('markup in a text stays text', () => {
    const pieces = markWords('<img onerror=alert(1)> alert', 'alert')
    expect(pieces.map((piece) => piece.text).join('')).toBe('<img onerror=alert(1)> alert')
  })

  test('the pieces are the text again, and neighbours differ', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(words, words, (text, query) => {
        const pieces = markWords(text, query)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        expect(pieces.every((piece, index) => index === 0 || piece.hit !== pieces[index - 1]!.hit)).toBe(true)
      })
    )
  })
})
