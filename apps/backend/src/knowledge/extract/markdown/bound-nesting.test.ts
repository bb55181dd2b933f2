import { describe, expect, it } from 'vitest'
import { boundNesting } from './bound-nesting.ts'
import { extractMarkdown } from './extract-markdown.ts'

/** Milliseconds; each takes a tenth of a second on a machine that is not busy. A step too many takes minutes. */
const soon = 3_000

const stair = (levels: number, line: (level: number) => string): string =>
  Array.from({ length: levels }, (_, level) => line(level)).join('\n')

const indented = (lines: readonly string[], by: number): string => lines.map((line) => ' '.repeat(by) + line).join('\n')

const shapes: Readonly<Record<string, (level: number) => string>> = {
  lists: (level) => `${'  '.repeat(level)}- w${level}`,
  'numbered lists': (level) => `${'   '.repeat(level)}1. w${level}`,
  'lists indented by tabs': (level) => `${'\t'.repeat(level)}* w${level}`,
  'lists in a quote': (level) => `> ${'  '.repeat(level)}- w${level}`,
  'items with a paragraph each': (level) => `${'  '.repeat(level)}- item\n\n${'  '.repeat(level + 1)}w${level}\n`,
  quotes: (level) => `${'> '.repeat(level + 1)}w${level}`,
  'quotes and lists on one line': (level) => `${'> - '.repeat(level + 1)}w${level}`,
  'quotes in lists': (level) => `${'  '.repeat(level)}${level % 2 === 0 ? '- ' : '> '}w${level}`
}

describe('deep nesting', () => {
  it.each(Object.keys(shapes))('of 200 levels of %s is read soon, and no word is lost', (name) => {
    const source = stair(200, shapes[name]!)
    const started = performance.now()
    const { text } = extractMarkdown(source, false)
    expect(performance.now() - started).toBeLessThan(soon)
    expect(text.match(/w\d+/g)).toEqual(stair(200, (level) => `w${level}`).split('\n'))
  })

  it.each(['> ', '>', '- ', '> - ', '1. ', '-        '])('of 5,000 times %j on a line too', (marker) => {
    const started = performance.now()
    expect(extractMarkdown(`${marker.repeat(5_000)}word`, false).text).toContain('word')
    expect(performance.now() - started).toBeLessThan(soon)
  })

  it('makes items below the 16th level items of that level, with the lines under them', () => {
    const levels = stair(16, (level) => `${'  '.repeat(level)}- w${level}`)
    const under = ['- a', '  ```', '  - code', '  ```', '', '  b']
    const outside = '\n- c\n  - d'
    expect(boundNesting(`${levels}\n${indented(under, 36)}${outside}`).replaceAll(/ +$/gm, '')).toBe(
      `${levels}\n${indented(under, 30)}${outside}`.replaceAll(/ +$/gm, '')
    )
  })

  it('is left as it is up to 16 levels, in rules, and in fences', () => {
    const fence = `\`\`\`yaml\n${stair(40, (level) => `${'  '.repeat(level)}- w${level}`)}\n\`\`\``
    const rule = '- '.repeat(40).trim()
    // Eight levels of two kinds are sixteen.
    for (const shape of Object.values(shapes)) expect(boundNesting(stair(8, shape))).toBe(stair(8, shape))
    for (const shape of [shapes['lists']!, shapes['quotes']!]) {
      expect(boundNesting(stair(16, shape))).toBe(stair(16, shape))
    }
    expect(boundNesting(`${fence}\n\n${rule}\n\n- a\n  - b`)).toBe(`${fence}\n\n${rule}\n\n- a\n  - b`)
  })

  it('reads each item once, however long the items under it are', () => {
    const source = `${stair(16, (level) => `${'  '.repeat(level)}- w${level} ${'word '.repeat(300)}`)}\n`.repeat(3)
    const started = performance.now()
    extractMarkdown(source, false)
    expect(performance.now() - started).toBeLessThan(soon)
  })
})
