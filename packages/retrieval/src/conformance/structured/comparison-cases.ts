import { DEFAULT_KNOWLEDGE_TYPES } from '../../structured/index.ts'
import type { StructuredIndex, StructuredHit } from '../../ports/index.ts'
import { answerFault } from './answer-fault.ts'
import { MemoryStructuredIndex } from './memory-structured-index.ts'
import { structuredCollection } from './random-collection.ts'
import type { StructuredSearch } from './random-collection.ts'
import { ask, writeAll } from './structured-suite.ts'
import type { Cases } from './structured-suite.ts'

/** Absolute; float32 sums of a few hundred products differ by about this much with the order of summing. */
const TOLERANCE = 1e-5
/** The most that a page can hold; a collection has fewer documents. */
const WHOLE_PAGE = 100

async function allHits(
  index: StructuredIndex,
  { request, pairs }: StructuredSearch
): Promise<readonly StructuredHit[]> {
  return (await ask(index, { ...request, from_: 0, size: WHOLE_PAGE }, { pairs })).hits
}

export const comparisonCases: Cases = {
  'answers as brute force does, over generated collections': async ({ index, expect, rounds, abilities }) => {
    const { dimension } = index.capabilities
    for (let seed = 1; seed <= rounds; seed++) {
      const reference = new MemoryStructuredIndex({ dimension, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
      const { entries, searches } = structuredCollection(seed, dimension)
      for (const each of [index, reference]) await writeAll(each, entries)
      for (const search of searches) {
        const { request, pairs } = search
        const actual = await ask(index, request, { pairs })
        const expected = await ask(reference, request, { pairs })
        const all = await allHits(reference, search)
        const fault = answerFault({ actual, expected, all }, { abilities, tolerance: TOLERANCE })
        expect({ seed, search, fault }).toEqual({ seed, search, fault: null })
      }
    }
  }
}
