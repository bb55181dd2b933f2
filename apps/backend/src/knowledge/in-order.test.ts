import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOrder } from './in-order.ts'

async function* from(count: number, onEnd: () => void = () => undefined): AsyncGenerator<number> {
  try {
    for (let at = 0; at < count; at++) yield at
  } finally {
    onEnd()
  }
}

async function failAfterFirst(at: number): Promise<number> {
  if (at > 0) throw new Error(`item ${at}`)
  return at
}

describe('working in order', () => {
  it('yields results in the order of the items, however long each takes, and never holds more than the width', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (delays, width) => {
          let running = 0
          let most = 0
          const results: number[] = []
          const work = async (at: number) => {
            most = Math.max(most, ++running)
            await sleep(delays[at]!)
            running--
            return at
          }
          for await (const result of inOrder(from(delays.length), width, work)) results.push(result)
          expect(results).toEqual(delays.map((_, at) => at))
          expect(most).toBeLessThanOrEqual(width)
        }
      ),
      { numRuns: 30 }
    )
  })

  it('goes on with the next while the consumer is busy', async () => {
    const begun: number[] = []
    const results = inOrder(from(5), 2, async (at) => (begun.push(at), at))
    expect((await results.next()).value).toBe(0)
    expect(begun).toEqual([0, 1])
    for await (const result of results) expect(begun).toContain(result)
    expect(begun).toEqual([0, 1, 2, 3, 4])
  })

  it('passes a failure on in its turn, ends the source, and leaves no rejection behind', async () => {
    let ended = false
    const seen: number[] = []
    const all = async () => {
      for await (const result of inOrder(
        from(9, () => (ended = true)),
        3,
        failAfterFirst
      ))
        seen.push(result)
    }
    await expect(all()).rejects.toThrow('item 1')
    expect(seen).toEqual([0])
    expect(ended).toBe(true)
  })

  it('ends the source when the consumer leaves early', async () => {
    let ended = false
    for await (const result of inOrder(
      from(9, () => (ended = true)),
      3,
      async (at) => at
    ))
      if (result === 1) break
    expect(ended).toBe(true)
  })
})
