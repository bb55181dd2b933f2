import type { EmbedderFingerprint, EvidenceHit, Scope, StageTrace } from '@oncall-agent/retrieval'
import type { RankedCandidate } from './candidate.ts'
import type { EvidenceRun } from './evidence-run.ts'
import type { Ranking } from './rank-candidates.ts'

/** What is kept of a run: enough to explain its answer when the documents have long changed. */
export interface RunRecord {
  readonly query: string
  readonly topK: number
  readonly scope: Scope
  readonly engine: string
  /** Counter of the index's writes that each branch saw; null when the branch did not answer. */
  readonly indexRevision: { readonly vector: number | null; readonly lexical: number | null }
  readonly embedder: EmbedderFingerprint
  readonly reranker: string
  readonly stages: readonly StageTrace[]
  readonly candidates: readonly RecordedCandidate[]
  /** The answer as it was given, contents included. */
  readonly results: readonly EvidenceHit[]
  readonly failure: { readonly code: string; readonly stage: string } | null
}

export interface RecordedCandidate extends Omit<RankedCandidate, 'chunk'> {
  readonly chunkId: string
  readonly documentId: string
  readonly documentVersion: number
  readonly knowledgeBaseId: string
  readonly title: string
  readonly headingPath: readonly string[]
  readonly source: string
  readonly start: number
  readonly end: number
}

export interface RunOutcome {
  readonly ranking: Ranking | undefined
  readonly results: readonly EvidenceHit[]
  readonly stages: readonly StageTrace[]
  readonly failure: RunRecord['failure']
}

export function runRecord({ question, parts }: EvidenceRun, outcome: RunOutcome): RunRecord {
  const { ranking } = outcome
  return {
    query: question.query,
    topK: question.topK,
    scope: question.scope,
    engine: parts.index.engine,
    indexRevision: {
      vector: ranking?.branches.vector.revision ?? null,
      lexical: ranking?.branches.lexical.revision ?? null
    },
    embedder: parts.embedder.fingerprint,
    reranker: parts.reranker.name,
    stages: outcome.stages,
    candidates: (ranking?.ranked ?? []).map(recordedCandidate),
    results: outcome.results,
    failure: outcome.failure
  }
}

function recordedCandidate({ chunk, ...ranks }: RankedCandidate): RecordedCandidate {
  return {
    chunkId: chunk.chunkId,
    documentId: chunk.document.documentId,
    documentVersion: chunk.document.version,
    knowledgeBaseId: chunk.document.knowledgeBaseId,
    title: chunk.document.title,
    headingPath: chunk.headingPath,
    source: chunk.document.source,
    start: chunk.start,
    end: chunk.end,
    ...ranks
  }
}
