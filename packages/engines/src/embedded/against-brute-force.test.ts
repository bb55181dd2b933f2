import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryIndex, pairOf, Random } from '@oncall-agent/retrieval/conformance'
import { differenceIn } from './test-support/compare-with-memory.ts'
import { randomDocument, randomScope } from './test-support/random-documents.ts'
import { TEST_DIMENSION, withIndex } from './test-support/temporary-index.ts'
import type { EmbeddedIndex } from './index.ts'

const PAIRS = [pairOf('t1', 'k1'), pairOf('t1', 'k2'), pairOf('t2', 'k1')]
const DOCUMENTS_EACH = 8
const documentIds = PAIRS.flatMap((pair) =>
  Array.from({ length: DOCUMENTS_EACH }, (_, index) => `d${index}-${pair.tenantId}-${pair.knowledgeBaseId}`)
)

interface Run {
  readonly index: EmbeddedIndex
  readonly memory: MemoryIndex
  readonly random: Random
  /** Chunks of a document at most. */
  readonly largest: number
}

/** A random write to both sides: mostly replacements, some deletions, sometimes all the compaction that is due. */
async function change({ index, memory, random, largest }: Run): Promise<void> {
  const pair = random.pick(PAIRS)
  const id = `d${random.between(0, DOCUMENTS_EACH - 1)}-${pair.tenantId}-${pair.knowledgeBaseId}`
  const kind = random.next()
  if (kind < 0.15) return index.compact()
  if (kind < 0.3) {
    expect(await index.writer.deleteDocument(pair, id)).toBe(await memory.writer.deleteDocument(pair, id))
    return
  }
  const { document, chunks } = randomDocument(random, pair, id, random.between(0, largest))
  await index.writer.replaceDocument(document, chunks)
  await memory.writer.replaceDocument(document, chunks)
}

async function differenceAfter(seed: number, steps: number, largest: number): Promise<string | null> {
  return withIndex(async (open) => {
    const run = { index: await open(), memory: new MemoryIndex(TEST_DIMENSION), random: new Random(seed), largest }
    for (let step = 0; step < steps; step++) {
      await change(run)
      if (step % 4 !== 0) continue
      const scope = randomScope(run.random, PAIRS, documentIds)
      const difference = await differenceIn(run.index, run.memory, scope, run.random)
      if (difference !== null) return `after step ${step}: ${difference}`
    }
    return null
  })
}

describe('the embedded index under random writes, deletions, compaction and filters', () => {
  it('answers as brute force does over small documents', async () => {
    const seeds = fc.integer({ min: 1 })
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        expect(await differenceAfter(seed, 60, 6)).toBe(null)
      }),
      { numRuns: 8 }
    )
  })

  it('answers as brute force does over documents that fill pages and cross from one to the next', async () => {
    const seeds = fc.integer({ min: 1 })
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        expect(await differenceAfter(seed, 40, 1500)).toBe(null)
      }),
      { numRuns: 2 }
    )
  })
})
