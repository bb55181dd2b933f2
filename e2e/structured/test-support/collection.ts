import { tokenize, type ReadablePair, type StructuredEntry } from '@oncall-agent/retrieval'
import { normalised, vectorOfText } from '@oncall-agent/retrieval/conformance'

/** Numbers of a vector: enough for texts without a word in common to lie apart. */
export const DIMENSION = 48

/** Documents that every engine is filled with, and what somebody could ask about them. */
export interface Collection {
  readonly name: string
  readonly knowledgeTypes: readonly string[]
  /** In the order of writing; no two have one key. */
  readonly entries: readonly StructuredEntry[]
  /** Whole sentences, for meaning. */
  readonly sentences: readonly string[]
}

/** Every knowledge base of a collection, each once. */
export function pairsOf({ entries }: Pick<Collection, 'entries'>): ReadablePair[] {
  const pairs = new Map<string, ReadablePair>()
  for (const { tenantId, knowledgeBaseId } of entries) {
    pairs.set(JSON.stringify([tenantId, knowledgeBaseId]), { tenantId, knowledgeBaseId })
  }
  return [...pairs.values()]
}

export async function* streamOf(entries: readonly StructuredEntry[]): AsyncGenerator<StructuredEntry> {
  yield* entries
}

const directions = new Map<string, Float32Array>()

/**
 * Stands for an embedder: the sum of one direction a token, so that texts with words in common point alike. The same text
 * has the same vector; what a model would say is not the point here.
 */
export function vectorOfWords(text: string): Float32Array {
  const sum = new Float32Array(DIMENSION)
  for (const token of new Set(tokenize(text))) {
    const direction = directions.get(token) ?? vectorOfText(token, DIMENSION)
    directions.set(token, direction)
    for (let index = 0; index < DIMENSION; index++) sum[index]! += direction[index]!
  }
  return sum.every((value) => value === 0) ? vectorOfText(text, DIMENSION) : normalised(sum)
}
