import type { RetrievalResponse, RetrievalRun } from '@oncall-agent/api-contracts'
import { type RecordedCandidate, runRecordSchema } from './run-record.ts'

export type StageTrace = RetrievalResponse['stages'][number]
export type StageName = StageTrace['name']
export type LabCandidate = RecordedCandidate

/** One piece of evidence of a run. */
export interface LabHit extends LabCandidate {
  readonly content: string
  readonly excerpt: string
  readonly source: string
}

/** A retrieval as the lab shows it, whether it was just asked for or comes from the store. */
export interface LabRun {
  readonly runId: string | null
  /** Ms since the epoch. */
  readonly at: number
  readonly query: string
  readonly topK: number
  readonly outcome: 'ok' | 'empty' | 'failed'
  readonly stages: readonly StageTrace[]
  readonly hits: readonly LabHit[]
  /** Every chunk that a branch found; only the hits when the run was not stored. */
  readonly candidates: readonly LabCandidate[]
  readonly baseIds: readonly string[]
  readonly documentIds: readonly string[]
  readonly models: { readonly engine: string; readonly embedder: string; readonly reranker: string } | null
  readonly failure: { readonly code: string; readonly stage: string } | null
}

/** A stage that had nothing to run on took no time, not 0 ms. */
export const hasRun = ({ status }: Pick<StageTrace, 'status'>): boolean => status !== 'skipped'

/** Characters of an excerpt when the server gave none, as the contract has it. */
const EXCERPT_LIMIT = 480

/** The answer alone: what there is when its run could not be stored or read. */
export function runOfAnswer(answer: RetrievalResponse, baseIds: readonly string[], at: number): LabRun {
  const hits = answer.results.map((hit, index): LabHit => {
    const citation = answer.citations[index]
    return {
      ...hit,
      rrfRank: null,
      title: citation?.title ?? hit.source,
      headingPath: [...(citation?.headingPath ?? [])],
      excerpt: citation?.excerpt ?? excerptOf(hit.content)
    }
  })
  const { runId, query, topK, stages } = answer
  const outcome = hits.length === 0 ? 'empty' : 'ok'
  return {
    runId,
    at,
    query,
    topK,
    outcome,
    stages,
    hits,
    candidates: hits,
    baseIds,
    documentIds: [],
    models: null,
    failure: null
  }
}

/**
 * A stored run.
 * @param excerpts the excerpts of the answer by chunk id, where the answer is at hand
 * @throws Error (of zod) when the record has not the shape that this page knows
 */
export function runOfRecord(stored: RetrievalRun, excerpts: ReadonlyMap<string, string> = new Map()): LabRun {
  const record = runRecordSchema.parse(stored.record)
  const byId = new Map(record.candidates.map((candidate) => [candidate.chunkId, candidate]))
  const hits = record.results.flatMap((result): LabHit[] => {
    const candidate = byId.get(result.chunkId)
    if (candidate === undefined) return []
    const excerpt = excerpts.get(result.chunkId) ?? excerptOf(result.content)
    return [{ ...candidate, content: result.content, source: result.source, excerpt }]
  })
  return {
    runId: stored.runId,
    at: stored.createdAt,
    query: record.query,
    topK: record.topK,
    outcome: stored.outcome,
    stages: record.stages,
    hits,
    candidates: record.candidates,
    baseIds: record.scope.pairs.map(({ knowledgeBaseId }) => knowledgeBaseId),
    documentIds: record.scope.documentIds ?? [],
    models: { engine: record.engine, embedder: record.embedder.model, reranker: record.reranker },
    failure: record.failure
  }
}

/** The beginning of a text, cut between what readers see as characters. */
export function excerptOf(content: string): string {
  if (content.length <= EXCERPT_LIMIT) return content
  const pieces = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(content)
  let end = 0
  for (const { index, segment } of pieces) {
    if (index + segment.length > EXCERPT_LIMIT) break
    end = index + segment.length
  }
  return content.slice(0, end)
}

/** The candidates that a branch returned, in its order. */
export function branchOf(candidates: readonly LabCandidate[], branch: 'vector' | 'lexical'): readonly LabCandidate[] {
  const rankOf = (each: LabCandidate): number | null => (branch === 'vector' ? each.vectorRank : each.bm25Rank)
  return candidates.filter((each) => rankOf(each) !== null).toSorted((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0))
}
