import { describe, expect, it } from 'vitest'
import { Progress } from './progress.ts'

const stream = (isTTY: boolean) => {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

describe('progress', () => {
  it('overwrites its line on a terminal and clears it before a lasting one', () => {
    const terminal = stream(true)
    const progress = new Progress(terminal)
    progress.step('1 of 2')
    progress.step('2 of 2')
    progress.note('done')
    progress.end()
    expect(terminal.written).toEqual(['\r\u001B[K1 of 2', '\r\u001B[K2 of 2', '\r\u001B[K', 'done\n'])
  })

  it('writes whole lines elsewhere, not more often than every ten seconds', () => {
    const file = stream(false)
    let now = 0
    const progress = new Progress(file, () => now)
    for (const at of [0, 5000, 9999, 10_000, 12_000]) {
      now = at
      progress.step(`at ${at}`)
    }
    progress.end()
    expect(file.written).toEqual(['at 0\n', 'at 10000\n'])
  })
})
