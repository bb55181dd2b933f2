import { AppError } from '@oncall-agent/api-contracts'
import type { Citation, EvidenceAnswer, EvidenceHit } from '@oncall-agent/retrieval'
import type { RetrievalTool } from '../../search/index.ts'

const scores = {
  score: 0.9,
  vectorRank: 1,
  bm25Rank: 1,
  rerankRank: 1,
  vectorScore: 0.8,
  bm25Score: 3,
  rrfScore: 0.03,
  rerankScore: 0.9
}

/** An answer of retrieval with these chunks, by id. */
export function evidence(chunks: Readonly<Record<string, string>>, runId = 'run-1'): EvidenceAnswer {
  const results = Object.entries(chunks).map(([chunkId, content]): EvidenceHit => ({
    chunkId,
    documentId: `document-of-${chunkId}`,
    knowledgeBaseId: 'kb-1',
    ownerUserId: 'user-1',
    tenantId: 'tenant-1',
    content,
    source: `${chunkId}.md`,
    metadata: {},
    ...scores
  }))
  const citations = results.map(({ chunkId, documentId, content, source }): Citation => ({
    id: chunkId,
    title: source,
    sourceType: 'knowledge-base',
    excerpt: content.slice(0, 480),
    documentId,
    knowledgeBaseId: 'kb-1',
    headingPath: ['Runbook', 'Restart'],
    start: 0,
    end: content.length,
    ...scores
  }))
  return { query: 'q', topK: 5, results, citations, stages: [], runId }
}

/** Gives each answer once, in order; an error is thrown, and the last one stays. */
export function retrieving(...answers: (EvidenceAnswer | Error)[]): RetrievalTool {
  const left = [...answers]
  return async (_request, signal) => {
    signal?.throwIfAborted()
    const answer = left.length > 1 ? left.shift() : left[0]
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('nothing is scripted')
    return answer
  }
}

export function retrievalDown(): AppError {
  return new AppError('SYSTEM_UNAVAILABLE', {
    operation: 'retrieve evidence',
    message: 'Knowledge retrieval is temporarily unavailable.'
  })
}
