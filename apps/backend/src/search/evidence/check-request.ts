import { AppError, retrievalRequestSchema } from '@oncall-agent/api-contracts'
import { clampTopK } from '@oncall-agent/retrieval'
import { readablePairs } from '../readable-pairs.ts'
import type { Caller } from '../caller.ts'
import type { Question } from './question.ts'

const operation = 'retrieve evidence'

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
      pairs: readablePairs(filters?.knowledgeBaseIds, caller, { operation, field: 'filters.knowledgeBaseIds' }),
      ...(filters?.documentIds === undefined ? {} : { documentIds: filters.documentIds }),
      ...(filters?.metadata === undefined ? {} : { metadata: filters.metadata })
    }
  }
}

function invalid(issue: { path: PropertyKey[]; message: string } | undefined): AppError {
  const field = issue?.path.map(String).join('.') || 'request'
  return new AppError('VALIDATION_FAILED', {
    operation,
    subject: field,
    message: `${field}: ${issue?.message ?? 'is not valid'}`,
    details: { field }
  })
}
