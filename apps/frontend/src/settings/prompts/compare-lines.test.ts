import { describe, expect, test } from 'vitest'
import { compareLines, foldSame } from './compare-lines.ts'

const shown = (before: string, after: string): string[] =>
  compareLines(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`)

const numbered = (mark: string): string => Array.from({ length: 3_000 }, (_each, at) => `${mark}${at}`).join('\n')

describe('two texts line by line', () => {
  test('what changed stands where it changed, the old before the new', () => {
    expect(shown('a\nb\nc\nd', 'a\nB\nc\nx\nd')).toEqual([' a', '-b', '+B', ' c', '+x', ' d'])
  })

  test('a moved line is removed once and added once', () => {
    expect(shown('a\nb\nc', 'b\nc\na').toSorted()).toEqual([' b', ' c', '+a', '-a'].toSorted())
  })

  test('an empty text has no lines, and line ends of Windows are no difference', () => {
    expect(shown('', 'a')).toEqual(['+a'])
    expect(shown('a\r\nb', 'a\nb')).toEqual([' a', ' b'])
    expect(shown('', '')).toEqual([])
  })

  test('whatever the texts are, the old one and the new one can be read off again', () => {
    let seed = 7
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let round = 0; round < 300; round++) {
      const text = (): string[] => Array.from({ length: 1 + random(12) }, () => 'abcd'[random(4)]!)
      const [old, fresh] = [text(), text()]
      const lines = compareLines(old.join('\n'), fresh.join('\n'))
      const without = (kind: string): string[] => lines.filter((line) => line.kind !== kind).map((line) => line.text)
      expect([without('added'), without('removed')]).toEqual([old, fresh])
    }
  })

  test('texts too long for the table are shown as replaced, but for their equal ends', () => {
    const compared = compareLines(`head\n${numbered('x')}\ntail`, `head\n${numbered('y')}\ntail`)
    expect(compared).toHaveLength(6_002)
    expect([compared[0]?.kind, compared[1]?.kind, compared.at(-1)?.kind]).toEqual(['same', 'removed', 'same'])
  })
})

describe('the lines that are shown', () => {
  const text = Array.from({ length: 30 }, (_each, at) => `line ${at}`)

  test('are the changes with three around them; the others are counted', () => {
    const stretches = foldSame(compareLines(text.join('\n'), text.with(10, 'changed').join('\n')))
    const sizes = stretches.map((each) => ('left' in each ? -each.left : each.lines.length))
    expect(sizes).toEqual([-7, 8, -16])
  })

  test('one line alone is not left out', () => {
    const stretches = foldSame(compareLines(text.join('\n'), text.with(4, 'changed').join('\n')))
    expect('left' in stretches[0]!).toBe(false)
  })

  test('are none for the same text', () => {
    expect(foldSame(compareLines('a\nb', 'a\nb'))).toEqual([{ left: 2 }])
    expect(foldSame([])).toEqual([])
  })
})
