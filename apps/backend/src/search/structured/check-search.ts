import { invalidInput, type SearchRequest, searchRequestSchema } from '@oncall-agent/api-contracts'
import {
  type AnswerLanguage,
  checkStructuredRequest,
  settingFault,
  type StructuredQuestion,
  type StructuredSettings
} from '@oncall-agent/retrieval'
import type { Caller } from '../caller.ts'
import { readablePairs } from '../readable-pairs.ts'
import { settingNames } from './setting-names.ts'
import type { StructuredParts } from './structured-parts.ts'

/** What is looked for, and how. */
export interface AskedSearch {
  /** As it was asked for, for the record. */
  readonly request: SearchRequest
  readonly question: StructuredQuestion
  readonly settings: StructuredSettings
}

const operation = 'search documents'
/** Documents that anybody may have rescored; more only where the server itself rescores more. */
const RRF_WINDOW_LIMIT = 500

/**
 * Checks a request and binds what the caller may read, before any model or engine is asked.
 * @throws AppError VALIDATION_FAILED naming the field, AUTH_FORBIDDEN for a knowledge base that may not be read
 */
export function checkSearch(
  input: unknown,
  caller: Caller,
  parts: Pick<StructuredParts, 'settings' | 'knowledgeTypes'>,
  language: AnswerLanguage
): AskedSearch {
  const parsed = searchRequestSchema.safeParse(input)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw refused(path.map(String).join('.') || 'request', message)
  }
  const request = parsed.data
  const settings = settingsOf(request, parts.settings)
  const checked = checkStructuredRequest(request, {
    pairs: readablePairs(request.knowledge_base_ids, caller, { operation, field: 'knowledge_base_ids' }),
    knowledgeTypes: parts.knowledgeTypes,
    maxResultWindow: settings.maxResultWindow,
    language
  })
  if (checked.fault !== undefined) throw refused(checked.fault.field, checked.fault.reason)
  return { request, question: checked.question, settings }
}

/** The server's own, but for those that the request names. */
function settingsOf({ settings: asked = {} }: SearchRequest, own: StructuredSettings): StructuredSettings {
  const named = Object.entries(settingNames).flatMap(([key, name]) => {
    const value = asked[name]
    return value === undefined ? [] : [[key, value] as const]
  })
  const mostRescored = Math.max(RRF_WINDOW_LIMIT, own.rrfWindow)
  if (asked.rrf_window !== undefined && asked.rrf_window > mostRescored) {
    throw refused('settings.rrf_window', `must be a whole number from 1 to ${mostRescored}, not ${asked.rrf_window}`)
  }
  const settings = { ...own, ...Object.fromEntries(named) }
  const fault = settingFault(settings)
  if (fault === null) return settings
  const name = fault.key === 'maxResultWindow' ? fault.key : settingNames[fault.key]
  throw refused(`settings.${name}`, fault.reason)
}

function refused(field: string, problem: string): Error {
  return invalidInput([{ field, problem }], { operation })
}
