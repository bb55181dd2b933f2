import { AppError } from '@oncall-agent/api-contracts'
import type { ReadablePair } from '@oncall-agent/retrieval'
import type { Caller } from './caller.ts'

/**
 * What a caller may read, narrowed to the knowledge bases asked for; all of it where none are named.
 * @throws AppError AUTH_FORBIDDEN for a knowledge base beyond what one may read
 */
export function readablePairs(
  asked: readonly string[] | undefined,
  caller: Caller,
  { operation, field }: { readonly operation: string; readonly field: string }
): readonly ReadablePair[] {
  if (asked === undefined) return caller.readable
  const wanted = new Set(asked)
  const pairs = caller.readable.filter((pair) => wanted.has(pair.knowledgeBaseId))
  const readable = new Set(pairs.map((pair) => pair.knowledgeBaseId))
  if (asked.every((id) => readable.has(id))) return pairs
  // Says nothing of what exists: an id that is not there and one of another tenant read the same.
  throw new AppError('AUTH_FORBIDDEN', { operation, message: `A knowledge base in ${field} may not be read.` })
}
