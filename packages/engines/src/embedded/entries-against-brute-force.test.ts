import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_KNOWLEDGE_TYPES } from '@oncall-agent/retrieval'
import type { ReadablePair, StructuredEntry } from '@oncall-agent/retrieval'
import { documentOf, MemoryIndex, pairOf, plainChunks, Random } from '@oncall-agent/retrieval/conformance'
import type { EmbeddedIndex } from './index.ts'
import { entryDifference } from './test-support/compare-entries.ts'
import { randomEntry } from './test-support/random-entries.ts'
import { TEST_DIMENSION, withIndex } from './test-support/temporary-index.ts'

const PAIRS = [pairOf('t1', 'k1'), pairOf('t1', 'k2'), pairOf('t2', 'k1')]
/** More entries than a page has slots, so that answers go over pages. */
const MORE_THAN_A_PAGE = 5_000

interface Run {
  readonly index: EmbeddedIndex
  readonly memory: MemoryIndex
  readonly random: Random
  /** Documents a knowledge base has at most. */
  readonly documents: number
}

/** A random write to both sides: with chunks or alone, with an entry or without, deletion, all the compaction that is due. */
async function change({ index, memory, random, documents }: Run): Promise<void> {
  const pair = random.pick(PAIRS)
  const id = `d${random.between(0, documents - 1)}`
  const kind = random.next()
  if (kind < 0.1) return index.compact()
  if (kind < 0.2) {
    expect(await index.writer.deleteDocument(pair, id)).toBe(await memory.writer.deleteDocument(pair, id))
    return
  }
  if (kind < 0.25) {
    expect(await index.structured.deleteDocument(pair, id)).toBe(await memory.structured.deleteDocument(pair, id))
    return
  }
  const entry = randomEntry(random, pair, id)
  for (const side of [index, memory]) {
    if (kind < 0.3) await side.structured.replaceDocument(entry)
    else if (kind < 0.35) await side.writer.replaceDocument(documentOf(pair, id), [])
    else await side.writer.replaceDocument(documentOf(pair, id), plainChunks(['disk'], TEST_DIMENSION), entry)
  }
}

async function differenceAfter(run: Run, steps: number): Promise<string | null> {
  for (let step = 0; step < steps; step++) {
    await change(run)
    if (step % 3 !== 0) continue
    const difference = await entryDifference(run.index.structured, run.memory.structured, PAIRS, run.random)
    if (difference !== null) return `after step ${step}: ${difference}`
  }
  return null
}

async function* randomEntries(random: Random, pair: ReadablePair, count: number): AsyncGenerator<StructuredEntry> {
  for (let number = 0; number < count; number++) yield randomEntry(random, pair, `d${number}`)
}

function runOn(index: EmbeddedIndex, seed: number, documents: number): Run {
  const memory = new MemoryIndex(TEST_DIMENSION, DEFAULT_KNOWLEDGE_TYPES)
  return { index, memory, random: new Random(seed), documents }
}

describe('structured search of the embedded index under random writes, deletions and compaction', () => {
  it('answers as brute force does, score by score', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1 }), (seed) =>
        withIndex(async (open) => {
          const run = runOn(await open(), seed, 12)
          expect(await differenceAfter(run, 80)).toBe(null)
          const strays = /^\d+ entries belong to no document$/
          expect((await run.index.verify()).filter((fault) => !strays.test(fault))).toEqual([])
        })
      ),
      { numRuns: 6 }
    )
  })

  it('answers as brute force does over entries that fill more than a page, and over pages that are moved', async () => {
    await withIndex(async (open) => {
      const run = runOn(await open(), 11, MORE_THAN_A_PAGE)
      for (const { structured } of [run.index, run.memory]) {
        await structured.rebuild(randomEntries(new Random(5), PAIRS[0]!, MORE_THAN_A_PAGE))
      }
      expect(await differenceAfter(run, 30)).toBe(null)
      // More than a quarter of the first page dies, so that what is left of it moves.
      for (let number = 0; number < 1_200; number++) {
        for (const { structured } of [run.index, run.memory]) await structured.deleteDocument(PAIRS[0]!, `d${number}`)
      }
      await run.index.compact()
      expect(await differenceAfter(run, 30)).toBe(null)
    })
  })
})
