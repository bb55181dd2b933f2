import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const [light, dark, systemDark] = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, block]) =>
  Object.fromEntries([...block!.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value!.trim()]))
)

/** Relative luminance of WCAG 2, of a colour "#rrggbb". */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

const texts: readonly (readonly [text: string, on: string])[] = [
  ...['text', 'muted', 'accent', 'bad', 'good'].flatMap((name) =>
    ['ground', 'surface'].map((on) => [name, on] as const)
  ),
  ...['text', 'muted'].map((name) => [name, 'raised'] as const),
  ...['good', 'bad', 'warn'].map((name) => [name, `${name}-soft`] as const),
  ...['text', 'muted', 'accent'].map((name) => [name, 'accent-soft'] as const),
  ...['bad-soft', 'warn-soft', 'chunk-even', 'chunk-odd', 'chunk-both'].map((on) => ['text', on] as const),
  ['on-accent', 'accent'],
  ['on-mark', 'mark'],
  ['surface', 'bad'],
  ['surface', 'text']
]

describe.each([
  ['light', light!],
  ['dark', dark!]
])('the %s palette', (_name, palette) => {
  test.each(texts)('%s can be read on %s', (text, on) => {
    expect(contrast(palette[text]!, palette[on]!)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['ground', 'surface'])('the border of a control is seen on %s', (on) => {
    expect(contrast(palette.control!, palette[on]!)).toBeGreaterThanOrEqual(3)
  })
})

test('dark is the same whether it was chosen or is the system’s', () => {
  expect(systemDark).toEqual(dark)
})
