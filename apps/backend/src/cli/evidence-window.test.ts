import { expect, test } from 'vitest'
import { evidenceWindow } from './evidence-window.ts'

const table = (rows: number, marked: Readonly<Record<number, string>>) =>
  Array.from({ length: rows }, (_, row) => marked[row] ?? `E_OTHER_${row}  something else`).join('\n')

test('a chunk that fits is shown whole', () => {
  expect(evidenceWindow('one\n\ntwo', 'two')).toEqual({ lines: ['one', 'two'], above: 0, below: 0, whole: true })
})

test('a long chunk is shown where the words of the question stand, and says how much is left out', () => {
  const { lines, above, below, whole } = evidenceWindow(
    table(40, { 30: 'E_AUTH_5021  renew the token' }),
    'E_AUTH_5021'
  )
  expect(lines).toContain('E_AUTH_5021  renew the token')
  expect([lines.length, above + lines.length + below, whole]).toEqual([12, 40, false])
})

test('an identifier weighs more than characters that are everywhere', () => {
  const noise = { 0: '的 一 是 了', 1: '的 一 是 了' }
  const { lines } = evidenceWindow(table(30, { ...noise, 29: 'E_RATE_LIMIT 限流' }), '的一是了 E_RATE_LIMIT')
  expect(lines.at(-1)).toBe('E_RATE_LIMIT 限流')
})

test('a chunk without any of the words begins at its beginning', () => {
  expect(evidenceWindow(table(40, {}), '磁盘')).toMatchObject({ above: 0, below: 28 })
})

test('a line that is too long is cut around the word, with marks on both sides', () => {
  const line = `${'word '.repeat(300)}E_LAST_LINE restart ${'more '.repeat(300)}`
  const [shown = ''] = evidenceWindow(line, 'E_LAST_LINE').lines
  expect(shown).toMatch(/^….*E_LAST_LINE restart.*…$/)
  expect(shown.length).toBeLessThan(500)
})

test('a cut line never ends in half a character', () => {
  const [shown = ''] = evidenceWindow('👩‍👩‍👧‍👦'.repeat(200), 'x').lines
  expect(shown).toMatch(/^(?:👩‍👩‍👧‍👦)+…$/u)
})
