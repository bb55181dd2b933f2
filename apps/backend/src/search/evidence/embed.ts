import { PortError, type QueryEmbedding } from '@oncall-agent/retrieval'
import type { EvidenceParts } from './evidence-parts.ts'
import type { EvidenceRun } from './evidence-run.ts'

/** Embeds the query: one vector of the model's width, all numbers finite, or the stage fails. */
export function embed({ question, parts, stages, signal }: EvidenceRun): Promise<QueryEmbedding> {
  const { model } = parts.embedder.fingerprint
  return stages.run({
    name: 'embed',
    engine: model,
    deadlineMs: parts.limits.embedMs,
    signal,
    count: () => 1,
    work: async (stageSignal) => checked(await parts.embedder.embedQuery(question.query, stageSignal), parts)
  })
}

function checked(embedding: QueryEmbedding, parts: EvidenceParts): QueryEmbedding {
  const { dimension, model } = parts.embedder.fingerprint
  const { vector } = embedding
  if (vector.length === dimension && vector.every(Number.isFinite)) return embedding
  const reason =
    vector.length === dimension ? 'it holds a value that is not finite' : `${vector.length} values, not ${dimension}`
  throw new PortError('invalid-argument', { operation: 'embed query', subject: model, reason })
}
