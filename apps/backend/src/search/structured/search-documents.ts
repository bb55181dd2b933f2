import type { SearchResponse } from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import type { Caller } from '../caller.ts'
import { checkSearch } from './check-search.ts'
import { climbLadder } from './climb-ladder.ts'
import { recordSearch } from './record-search.ts'
import type { SearchLog, StructuredParts } from './structured-parts.ts'
import { toResponse } from './to-response.ts'

export interface SearchOptions {
  /** Of the banner; Chinese where it is absent. */
  readonly language?: AnswerLanguage
  readonly signal?: AbortSignal
}

/**
 * Contract 2: documents, and how strictly they match; or a typed error, and never an empty answer for a fault.
 * @throws AppError VALIDATION_FAILED, AUTH_FORBIDDEN, SYSTEM_UNAVAILABLE, INDEX_MODEL_MISMATCH and those of a data folder;
 * the signal's reason
 */
export async function searchDocuments(
  input: unknown,
  caller: Caller,
  { parts, log }: { readonly parts: StructuredParts; readonly log: SearchLog },
  { language = 'zh', signal }: SearchOptions = {}
): Promise<SearchResponse> {
  const asked = checkSearch(input, caller, parts, language)
  const answer = await climbLadder(asked, parts, signal)
  if (answer.embedderFailure !== undefined) parts.watch.onEmbedderDown(answer.embedderFailure)
  const searchId = await recordSearch(asked, answer, caller, { log, ...parts.watch })
  return toResponse(asked, answer, searchId)
}
