import { describe, expect, it } from 'vitest'
import { MemoryRead } from './memory-read.ts'

/** Every byte is 1, so a 32-bit lane adds 0x01010101 for each 16 bytes. */
const lane = (bytes: number): number => Number(BigInt.asIntN(32, BigInt(bytes / 16) * 0x01_01_01_01n))

const time = (read: MemoryRead): number => {
  read.read()
  const started = performance.now()
  for (let turn = 0; turn < 5; turn++) read.read()
  return performance.now() - started
}

describe('reading memory once', () => {
  it.each([64, 6400, 1_000_000])('reads each of %i bytes once', (bytes) => {
    const rounded = Math.ceil(bytes / 64) * 64
    expect(new MemoryRead(bytes).read()).toBe(lane(rounded))
  })

  it('takes longer for more bytes', () => {
    expect(time(new MemoryRead(64_000_000))).toBeGreaterThan(time(new MemoryRead(1_000_000)) * 4)
  })
})
