import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MarkerFilter } from './marker-filter.ts'

/** Sources 1 to 3 exist. */
function filtered(pieces: readonly string[]): { text: string; cited: number[]; removed: number } {
  const filter = new MarkerFilter((marker) => marker >= 1 && marker <= 3)
  const text = pieces.map((piece) => filter.push(piece)).join('') + filter.end()
  return { text, cited: [...filter.cited].toSorted((a, b) => a - b), removed: filter.removed }
}

const marks = [
  '[',
  ']',
  '【',
  '】',
  '1',
  '2',
  '9',
  '12',
  ',',
  ' ',
  '-',
  '^',
  '†',
  '(',
  ')',
  ':',
  '\\',
  '`',
  '``',
  '~~~'
]
const fragments = [...marks, '```', '\n', 'a', '服', '.', '。', '> ', '[1]', '[9]', '[1, 9]', '```\n', '😀', '!']

const of = (text: string): string => filtered([text]).text

describe('the markers of an answer', () => {
  test.each([
    ['Restart it [1].', 'Restart it [1].'],
    ['重启服务[1]。', '重启服务[1]。'],
    ['重启服务【2】。', '重启服务[2]。'],
    ['重启服务［2］。', '重启服务[2]。'],
    ['See [1, 2] and [1，3].', 'See [1][2] and [1][3].'],
    ['See [1][2].', 'See [1][2].'],
    ['See [1-3].', 'See [1][2][3].'],
    ['See [^2].', 'See [2].'],
    ['See 【3†runbook.md】.', 'See [3].'],
    ['Restart the pod[1], or pods[1, 2].', 'Restart the pod[1], or pods[1][2].'],
    ['See (logs)[1] and "quoted"[2]', 'See (logs)[1] and "quoted"[2]'],
    ['| a | [1] |\n|---|---|\n| `b` | [2] |', '| a | [1] |\n|---|---|\n| `b` | [2] |'],
    ['- [1]\n- [x] done\n- [ ] open', '- [1]\n- [x] done\n- [ ] open']
  ])('are kept in one form: %j', (text, expected) => expect(of(text)).toBe(expected))

  test.each([
    ['Nothing [9].', 'Nothing.', 1],
    ['Nothing [9] here [1].', 'Nothing here [1].', 1],
    ['没有[9]。', '没有。', 1],
    ['See [1, 9, 8].', 'See [1].', 2],
    ['[0] first', ' first', 1],
    ['[[9]1]', '[ 1]', 1],
    ['word [9][1]', 'word [1]', 1]
  ])('that belong to no source are removed and counted: %j', (text, expected, removed) => {
    expect(filtered([text])).toMatchObject({ text: expected, removed })
  })

  test.each([
    ['an index a[9] or argv[9][8]'],
    ['a link [9](https://example.org) stays'],
    ['[9]: https://example.org "a definition"'],
    ['escaped \\[9] and \\[9\\]'],
    ['inline `list[9]` and ``x ` [9]`` code'],
    ['```js\nconst a = [9]\n```\n'],
    ['1. step\n   ```\n   [9]\n   ```\n'],
    ['> ~~~~\n> [9]\n> ~~~\n> [9]\n> ~~~~\n'],
    ['```[9]\n[9]\n```'],
    ['years [2024] and words [abc] and [1.5]'],
    ['```\nnever closed [9]\n\n[9]']
  ])('leaves what is none: %j', (text) => expect(filtered([text])).toMatchObject({ text, removed: 0 }))

  test('are read again behind a fence, and behind backticks that never close', () => {
    expect(of('```\n[9]\n```\nsee [9][1]')).toBe('```\n[9]\n```\nsee [1]')
    expect(of('a ` tick [9] stays\nnext [1]')).toBe('a ` tick stays\nnext [1]')
    expect(of('a `` tick `[9]` and [9]')).toBe('a `` tick `[9]` and')
  })

  test('names the sources that the answer refers to', () => {
    expect(filtered(['one [3], code `[2]`, two [1] and [3]']).cited).toEqual([1, 3])
  })

  test('holds back no more than what could become a marker', () => {
    const filter = new MarkerFilter(() => true)
    expect(filter.push('Restart the pod')).toBe('Restart the pod')
    expect(filter.push(' [')).toBe('')
    expect(filter.push('1')).toBe('')
    expect(filter.push(']')).toBe('')
    expect(filter.push('.')).toBe(' [1].')
    expect(filter.push(' `a long piece of code')).toBe(' `a long piece of code')
  })

  const piece = fc.constantFrom(...fragments)

  test('come out the same however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (parts, sizes) => {
          const text = parts.join('')
          const whole = filtered([text])
          expect(filtered([...text])).toEqual(whole)
          expect(filtered(cut(text, sizes))).toEqual(whole)
        }
      ),
      { numRuns: 3_000 }
    )
  })

  test('leave nothing to remove: a filtered text is filtered to itself', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
        const once = filtered([parts.join('')])
        expect(filtered([once.text])).toMatchObject({ text: once.text, removed: 0 })
      }),
      { numRuns: 5_000 }
    )
  })

  test('cost the same for each character of a long text', () => {
    const line =
      'An `unclosed line with [ brackets [1 and ** stars and [9] of a hundred characters or so, all in all.\n'
    const { removed } = filtered(Array.from({ length: 20_000 }, () => line))
    expect(removed).toBe(20_000)
  })
})

function cut(text: string, sizes: Iterable<number>): string[] {
  const pieces: string[] = []
  let at = 0
  for (const size of sizes) {
    if (at >= text.length) break
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}
