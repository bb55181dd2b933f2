import type { KnowledgeIndex, Scope } from '@oncall-agent/retrieval'
import { rankingFault } from '@oncall-agent/retrieval/conformance'
import type { MemoryIndex, Random } from '@oncall-agent/retrieval/conformance'
import { randomTokens, randomVector } from './random-documents.ts'

const EVERYTHING = 1_000_000
const WORDS_TOLERANCE = 1e-9
/** The reference adds products of vectors whose norm is 1 only to float32. */
const VECTORS_TOLERANCE = 1e-6

/** What differs between the index and brute force for one random question in a scope; null when nothing does. */
export async function differenceIn(
  index: KnowledgeIndex,
  memory: MemoryIndex,
  scope: Scope,
  random: Random
): Promise<string | null> {
  const limit = random.pick([1, 5, 20, 200])
  const tokens = randomTokens(random)
  const words = await index.lexical.search({ tokens, scope, limit })
  const allWords = await memory.lexical.search({ tokens, scope, limit: EVERYTHING })
  const vector = randomVector(random)
  const meanings = await index.vector.search({ vector, scope, limit })
  const allMeanings = await memory.vector.search({ vector, scope, limit: EVERYTHING })
  const statistics = JSON.stringify(await index.lexical.statistics(tokens, scope))
  const expected = JSON.stringify(await memory.lexical.statistics(tokens, scope))
  const request = {
    chunkIds: [...meanings.hits, ...words.hits].slice(0, 10).map((hit) => hit.chunkId),
    scope,
    withVectors: true,
    withTokenVectors: true
  }
  const chunks = JSON.stringify(await index.chunks.read(request))
  return (
    rankingFault(words, allWords, { tolerance: WORDS_TOLERANCE, limit }) ??
    rankingFault(meanings, allMeanings, { tolerance: VECTORS_TOLERANCE, limit }) ??
    (statistics === expected ? null : `statistics are ${statistics} instead of ${expected}`) ??
    (chunks === JSON.stringify(await memory.chunks.read(request)) ? null : 'chunks are read back differently')
  )
}
