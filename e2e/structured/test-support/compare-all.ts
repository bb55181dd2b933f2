import type { SearchStatus, StructuredAnswer, StructuredHit, StructuredIndex } from '@oncall-agent/retrieval'
import { ask, read, type Reference, refer } from './ask.ts'
import type { Collection } from './collection.ts'
import { difference, partsFault } from './differences.ts'
import type { SearchCase } from './search-case.ts'

/** At once; an engine behind a network is waited for most of the time. */
const AT_ONCE = 4
/** So many are enough to see what is wrong. */
const SHOWN_FAULTS = 5

/** One answer a search, in their order. */
export function askAll(index: StructuredIndex, searches: readonly SearchCase[]): Promise<readonly StructuredAnswer[]> {
  return inTurns(searches, (search) => ask(index, read(search, index.capabilities.knowledgeTypes)))
}

export function referAll(oracle: StructuredIndex, searches: readonly SearchCase[]): Promise<readonly Reference[]> {
  return inTurns(searches, (search) => refer(oracle, read(search, oracle.capabilities.knowledgeTypes)))
}

async function inTurns<Result>(
  searches: readonly SearchCase[],
  run: (search: SearchCase) => Promise<Result>
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let start = 0; start < searches.length; start += AT_ONCE) {
    results.push(...(await Promise.all(searches.slice(start, start + AT_ONCE).map(run))))
  }
  return results
}

export interface Compared {
  readonly collection: Collection
  readonly searches: readonly SearchCase[]
  readonly answers: readonly StructuredAnswer[]
  readonly references: readonly Reference[]
}

/** What was compared, for a suite that compares nothing must not pass. */
export interface Tally {
  readonly statuses: Partial<Record<SearchStatus, number>>
  hits: number
  /** Hits whose rank and scores were compared, not only that they are there. */
  ranked: number
  /** Answers that hold every document that matches, so that two sets were equal. */
  complete: number
  truncatedFacets: number
}

/**
 * The first faults of all answers, each with the search that brought it about.
 * @param ranks whether order and scores of an answer must be those of the reference, or only the documents
 */
export function compareAll(
  { collection, searches, answers, references }: Compared,
  ranks: (search: SearchCase, answer: StructuredAnswer) => boolean
): { readonly faults: readonly string[]; readonly tally: Tally } {
  const vectorOf = vectorsOf(collection)
  const faults: string[] = []
  const tally: Tally = { statuses: {}, hits: 0, ranked: 0, complete: 0, truncatedFacets: 0 }
  for (const [at, search] of searches.entries()) {
    const actual = answers[at]!
    const isRanked = ranks(search, actual)
    const fault =
      difference({ actual, ...references[at]! }, isRanked) ??
      partsFault(actual, read(search, collection.knowledgeTypes), vectorOf)
    if (fault !== null) faults.push(`${fault}: ${JSON.stringify(search)}`)
    count(tally, actual, isRanked)
  }
  return { faults: faults.slice(0, SHOWN_FAULTS), tally }
}

function count(
  tally: Tally,
  { status, hits, total, facetsTruncated = NONE_TRUNCATED }: StructuredAnswer,
  isRanked: boolean
): void {
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
  tally.hits += hits.length
  if (isRanked) tally.ranked += hits.length
  if (hits.length > 0 && hits.length === total) tally.complete++
  if (Object.values(facetsTruncated).some((values) => values > 0)) tally.truncatedFacets++
}

const NONE_TRUNCATED = { project: 0, equipment: 0, error_codes: 0 }

function vectorsOf({ entries }: Collection): (document: StructuredHit['document']) => Float32Array | undefined {
  const vectors = new Map(entries.map((entry) => [keyOf(entry), entry.vector]))
  return (document) => vectors.get(keyOf(document))
}

function keyOf({ tenantId, knowledgeBaseId, documentId }: StructuredHit['document']): string {
  return JSON.stringify([tenantId, knowledgeBaseId, documentId])
}
