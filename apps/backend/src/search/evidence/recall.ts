import { type QueryEmbedding, type Recall, tokenize } from '@oncall-agent/retrieval'
import type { EvidenceRun } from './evidence-run.ts'

export interface Branches {
  readonly embedding: QueryEmbedding
  readonly vector: Recall
  readonly lexical: Recall
}

/**
 * Both branches at once: the words do not wait for the model. Either both answer, or the first failure ends the
 * call (whose signal then stops what still runs): one branch alone is never an answer.
 */
export async function recallBranches(run: EvidenceRun, embedding: Promise<QueryEmbedding>): Promise<Branches> {
  const [made, vector, lexical] = await Promise.all([
    embedding,
    embedding.then((query) => searchVectors(run, query)),
    searchWords(run)
  ])
  return { embedding: made, vector, lexical }
}

function searchVectors({ question, parts, stages, signal }: EvidenceRun, embedding: QueryEmbedding): Promise<Recall> {
  const request = { vector: embedding.vector, scope: question.scope, limit: parts.limits.candidates }
  return stages.run({
    name: 'vector',
    engine: parts.index.engine,
    deadlineMs: parts.limits.recallMs,
    signal,
    count: (recall) => recall.hits.length,
    work: (stageSignal) => parts.index.vector.search(request, stageSignal)
  })
}

function searchWords({ question, parts, stages, signal }: EvidenceRun): Promise<Recall> {
  const request = { tokens: tokenize(question.query), scope: question.scope, limit: parts.limits.candidates }
  return stages.run({
    name: 'lexical',
    engine: parts.index.engine,
    deadlineMs: parts.limits.recallMs,
    signal,
    count: (recall) => recall.hits.length,
    work: (stageSignal) => parts.index.lexical.search(request, stageSignal)
  })
}
