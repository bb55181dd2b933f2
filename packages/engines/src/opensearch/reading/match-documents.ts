import { PortError, rescore } from '@oncall-agent/retrieval'
import type { MatchRequest, Rescore, StructuredHit, StructuredRecall } from '@oncall-agent/retrieval'
import { documentOf, SHOWN_FIELDS, unitVector } from '../indices/index.ts'
import { askAgain } from './known-documents.ts'
import { recallByWords } from './recall.ts'
import { routeOf } from './search-engine.ts'
import type { SearchHit, SearchParts } from './search-engine.ts'

/** Times that a question is asked anew because documents changed under it. A writer would have to hit each of them. */
const TRIES = 10

/**
 * Recall by words, then the vector parts of the window, then the page's documents. An engine's own rescoring cannot do it:
 * its window is one a shard, it takes no order for equal scores, and it shows no parts.
 * @throws PortError, the signal's reason
 */
export async function matchDocuments(
  parts: SearchParts,
  request: MatchRequest,
  signal?: AbortSignal
): Promise<StructuredRecall> {
  const { pairs, filters, clauses } = request
  const question = { parts, request, signal, route: routeOf({ pairs, filters, clauses }) }
  if (request.rescore === undefined) return matchByWords(question)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const recall = await matchRescored(question, request.rescore)
    if (recall !== null) return recall
  }
  throw new PortError('unavailable', {
    operation: 'match documents',
    subject: parts.connection.hosts,
    reason: 'the documents found were replaced again and again while they were ranked',
    hint: 'Search again when fewer documents are written.'
  })
}

interface Question {
  readonly parts: SearchParts
  readonly request: MatchRequest
  readonly signal: AbortSignal | undefined
  readonly route: string
}

async function matchByWords({ parts, request, signal, route }: Question): Promise<StructuredRecall> {
  const { from, size } = request
  const { total, hits } = await recallByWords(parts, request, { from, size, withDocuments: true, route }, signal)
  return {
    total,
    hits: hits.map((hit) => {
      const bm25 = hit.score
      return { document: documentOf(hit.source), score: bm25, bm25, vectorPart: 0 }
    })
  }
}

/** Null when a document changed between two of the requests. */
async function matchRescored(question: Question, rule: Rescore): Promise<StructuredRecall | null> {
  const { parts, request, signal, route } = question
  const { from, size } = request
  // Behind the window nothing is rescored, and no document passes from there into it.
  const start = from < rule.window ? 0 : from
  const end = start === 0 ? Math.max(rule.window, from + size) : from + size
  const page = { from: start, size: end - start, withDocuments: false, route }
  const { total, hits } = await recallByWords(parts, request, page, signal)
  const vectorParts = await readVectorParts(question, hits.slice(0, Math.max(0, rule.window - start)), rule)
  if (vectorParts === null) return null
  const recalled = hits.map((hit, rank) => ({ hit, bm25: hit.score, vectorPart: vectorParts[rank] ?? 0 }))
  const ranked = rescore(recalled, rule).slice(from - start, from - start + size)
  const documents = await readDocuments(
    question,
    ranked.map(({ hit }) => hit)
  )
  if (documents === null) return null
  return {
    total,
    hits: ranked.map(({ score, bm25, vectorPart }, rank) => ({ document: documents[rank]!, score, bm25, vectorPart }))
  }
}

/** cos + 1 of each hit, in their order. */
async function readVectorParts(
  { parts, signal, route }: Question,
  hits: readonly SearchHit[],
  { vector }: Rescore
): Promise<readonly number[] | null> {
  const script = { source: parts.dialect.vectorPartScript, params: { vector: unitVector(vector) } }
  const again = await askAgain(parts, { hits, operation: 'rescore documents', route, signal }, (query) => ({
    query: { script_score: { query, script } },
    _source: false
  }))
  // Rounding of single precision must give no part beyond 2.
  return again?.map(({ score }) => Math.min(2, score)) ?? null
}

async function readDocuments(
  { parts, signal, route }: Question,
  hits: readonly SearchHit[]
): Promise<readonly StructuredHit['document'][] | null> {
  const again = await askAgain(parts, { hits, operation: 'read documents', route, signal }, (query) => ({
    query,
    _source: SHOWN_FIELDS
  }))
  return again?.map(({ source }) => documentOf(source)) ?? null
}
