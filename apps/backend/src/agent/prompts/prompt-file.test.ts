import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PromptFileFault, readPromptFile, writePromptFile } from './prompt-file.ts'

const name = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}$/)
const description = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .filter((text) => !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(text) && text.isWellFormed())
  .map((text) => text.trim())
/** What front matter and lines are made of, and what looks like them. */
const piece = fc.constantFrom('---', '\n', '\r\n', '\r', '\uFEFF', 'name: x', '# 标题', '  ', '"', '\\', 'a', '…', '\t')
const content = fc
  .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 8 })), { minLength: 1, maxLength: 20 })
  .map((pieces) => pieces.join(''))
  .filter((text) => text.trim() !== '' && text.isWellFormed())

const describedAs = (value: string) => readPromptFile(file(`name: "1"\ndescription: ${value}`)).description
const file = (front: string, body = 'Text.\n') => `---\n${front}\n---\n\n${body}`

describe('a prompt that is written as a file', () => {
  test('is read back to the letter, whatever its text and description hold', () => {
    const prompts = fc.record({ name, description, content })
    fc.assert(
      fc.property(prompts, (prompt) => {
        expect(readPromptFile(writePromptFile(prompt))).toEqual(prompt)
      }),
      { numRuns: 500 }
    )
  })

  test('has lines that a person can read and write', () => {
    const written = writePromptFile({ name: 'disk-full', description: '磁盘满了: 怎么办', content: '# 步骤\n' })
    expect(written).toBe('---\nname: disk-full\ndescription: "磁盘满了: 怎么办"\n---\n\n# 步骤\n')
  })
})

describe('a file that people wrote', () => {
  test.each([
    ['with a byte order mark', `\uFEFF${file('name: a')}`],
    ['with lines that end in CRLF', file('name: a').replaceAll('\n', '\r\n')],
    ['without the empty line', '---\nname: a\n---\nText.\n'],
    ['with spaces behind the lines', '---  \nname: a\n---\t\n\nText.\n'],
    ['with quotes and a comment', file('# mine\nname: "a"')]
  ])('%s is read', (_how, text) => {
    expect(readPromptFile(text)).toEqual({ name: 'a', description: '', content: 'Text.\n' })
  })

  test('has values that are texts, whatever YAML would make of them', () => {
    expect(['true', '0x10', '2026-12-01', 'null', '~', '1e3'].map(describedAs)).toEqual([
      'true',
      '0x10',
      '2026-12-01',
      'null',
      '~',
      '1e3'
    ])
  })

  test.each([
    ['', 'no front matter'],
    ['# Only Markdown\n', 'no front matter'],
    ['--- \nname: a\n', 'does not end'],
    [`---\nname: a\n# ${'x'.repeat(9_000)}\n---\n\nText.`, 'does not end'],
    [file('name a'), 'not YAML'],
    [file('- name'), 'not YAML'],
    [file('name: a\nname: b'), 'each name once'],
    [file('name: [a]'), 'name is no plain text'],
    [file('name: &x a'), 'name is no plain text'],
    [file('name: a\ndescription: *x'), 'description is no plain text'],
    [file('name: !!js/function "x"'), 'not YAML'],
    [file('name: !!binary YQ=='), 'name is no plain text'],
    [file('<<: {name: a}'), 'other fields'],
    [file('name: a\n__proto__: {x: 1}'), 'other fields'],
    [file('name: a\nallowed-tools: all'), 'other fields'],
    [file('{name: a}: b'), 'other fields'],
    [file('description: x'), 'no name in its front matter'],
    [file('name: Disk Full'), 'a name that must be words'],
    [file('name: ../../etc/passwd'), 'a name that must be words'],
    [file('name: a\ndescription: "x\\ny"'), 'a description that must be one line'],
    [file('name: a\ndescription: "\\u202E"'), 'a description that must be one line'],
    [file('name: a\ndescription: "\\uD83D"'), 'a description that must not hold half a character'],
    [file('name: a', ' \n'), 'a content that must not be empty'],
    [file('name: a', 'x'.repeat(64_001)), 'a content that must have at most']
  ])('%j is refused, and it is said why', (text, why) => {
    expect(() => readPromptFile(text)).toThrow(PromptFileFault)
    expect(() => readPromptFile(text)).toThrow(why)
  })
})
