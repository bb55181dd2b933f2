import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { growth } from './growth.ts'

/** Keeps a processor busy: waiting times are not exact to a millisecond. */
function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

async function failing(): Promise<void> {
  await wait(1)
  throw new Error('index closed')
}

function quick(): void {}

describe('growth', () => {
  it('is the ratio of the medians, held to its limits', async () => {
    const results = await growth('words', {
      smallWhole: () => spin(0.2),
      largeWhole: () => spin(1),
      smallFixed: () => spin(0.5),
      largeFixed: () => spin(1)
    })
    const [whole, fixed] = results
    expect(whole).toMatchObject({ name: 'words.growth-whole-scope', budget: '<= 10.5', ok: true })
    expect(whole!.value).toBeGreaterThan(3.5)
    expect(fixed).toMatchObject({ name: 'words.growth-fixed-scope', budget: '<= 1.2', ok: false })
    expect(fixed!.note).toMatch(/ms, with ten times the chunks .* ms/)
  })

  it('fails as its search fails', async () => {
    const run = growth('words', { smallWhole: quick, largeWhole: failing, smallFixed: quick, largeFixed: quick })
    await expect(run).rejects.toThrow('index closed')
  })
})
