import { AppError, type RetrievalRequest, retrievalRequestSchema } from '@oncall-agent/api-contracts'
import { clampTopK, type ReadablePair } from '@oncall-agent/retrieval'
import type { Caller } from './caller.ts'
import type { Question } from './question.ts'

/**
 * Checks a request and narrows the caller's scope by it, before any model or index is touched.
 * @throws AppError VALIDATION_FAILED naming the field, AUTH_FORBIDDEN for a knowledge base beyond what one may read
 */
export function checkRequest(input: unknown, caller: Caller): Question {
  const parsed = retrievalRequestSchema.safeParse(input)
  if (!parsed.success) throw invalid(parsed.error.issues[0])
  const { query, topK, filters } = parsed.data
  return {
    query,
    topK: clampTopK(topK),
    scope: {
      pairs: readablePairs(filters?.knowledgeBaseIds, caller),
      ...(filters?.documentIds === undefined ? {} : { documentIds: filters.documentIds }),
      ...(filters?.metadata === undefined ? {} : { metadata: filters.metadata })
    }
  }
}

type Filters = NonNullable<RetrievalRequest['filters']>

function readablePairs(asked: Filters['knowledgeBaseIds'], caller: Caller): readonly ReadablePair[] {
  if (asked === undefined) return caller.readable
  const wanted = new Set(asked)
  const pairs = caller.readable.filter((pair) => wanted.has(pair.knowledgeBaseId))
  const readable = new Set(pairs.map((pair) => pair.knowledgeBaseId))
  if (asked.every((id) => readable.has(id))) return pairs
  // Says nothing of what exists: an id that is not there and one of another tenant read the same.
  throw new AppError('AUTH_FORBIDDEN', {
    operation: 'retrieve evidence',
    message: 'A knowledge base in filters.knowledgeBaseIds may not be read.'
  })
}

function invalid(issue: { path: PropertyKey[]; message: string } | undefined): AppError {
  const field = issue?.path.map(String).join('.') || 'request'
  return new AppError('VALIDATION_FAILED', {
    operation: 'retrieve evidence',
    subject: field,
    message: `${field}: ${issue?.message ?? 'is not valid'}`,
    details: { field }
  })
}
