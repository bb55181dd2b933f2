import type { ReadablePair, StructuredFilters } from '../../ports/index.ts'
import { SEARCH_MODES } from './question.ts'
import type { AnswerLanguage, SearchMode, StructuredQuestion, StructuredRequest } from './question.ts'
import { readKeywords } from './read-keywords.ts'

export const DEFAULT_SIZE = 10
/** Documents a page. */
export const MAX_SIZE = 100
/**
 * Distinct tokens of all keywords. Each is looked for in title and body, and Lucene refuses more than 1,024 clauses; a
 * Chinese sentence of 200 characters still fits.
 */
export const MAX_KEYWORD_TOKENS = 400
const DEFAULT_MODE: SearchMode = 'auto'
const DEFAULT_LANGUAGE: AnswerLanguage = 'zh'

/** What a request is checked against. */
export interface RequestBounds {
  /** What the caller may read, already narrowed to the knowledge bases asked for. */
  readonly pairs: readonly ReadablePair[]
  readonly knowledgeTypes: readonly string[]
  /** Documents. */
  readonly maxResultWindow: number
  /** Of the banners; Chinese where it is absent. */
  readonly language?: AnswerLanguage
}

/** Why a request is refused: the field by its name in the contract, and what it should be. */
export interface RequestFault {
  readonly field: keyof StructuredRequest
  readonly reason: string
}

export type CheckedRequest =
  | { readonly question: StructuredQuestion; readonly fault?: undefined }
  | { readonly question?: undefined; readonly fault: RequestFault }

/** Checks the values of a request and reads its keywords, before any engine or model is asked. Never throws. */
export function checkStructuredRequest(request: StructuredRequest, bounds: RequestBounds): CheckedRequest {
  const mode = (request.mode ?? DEFAULT_MODE) as SearchMode
  const size = request.size ?? DEFAULT_SIZE
  const { from: otherFrom, from_: from = otherFrom ?? 0 } = request
  const keywords = readKeywords(request.keywords ?? [])
  const queryText = given(request.query_text?.trim())
  const filters = readFilters(request)
  const fault =
    modeFault(mode) ??
    pageFault({ size, from, other: otherFrom }, bounds) ??
    typeFault(filters.knowledgeType, bounds) ??
    keywordsFault(keywords.reduce((sum, keyword) => sum + keyword.tokens.length, 0))
  if (fault !== null) return { fault }
  const language = bounds.language ?? DEFAULT_LANGUAGE
  const asked = { pairs: bounds.pairs, filters, keywords, mode, from, size, language }
  return { question: queryText === undefined ? asked : { ...asked, queryText } }
}

/** An empty text or list is a form field left empty: not given. Everything else is compared as it is. */
function readFilters(request: StructuredRequest): StructuredFilters {
  const project = given(request.project)
  const equipment = given(request.equipment)
  const knowledgeType = given(request.knowledge_type)
  const errorCodes = (request.error_codes ?? []).filter((code) => code !== '')
  return {
    ...(project === undefined ? {} : { project }),
    ...(equipment === undefined ? {} : { equipment }),
    ...(knowledgeType === undefined ? {} : { knowledgeType }),
    ...(errorCodes.length === 0 ? {} : { errorCodes: [...new Set(errorCodes)] })
  }
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

function modeFault(mode: string): RequestFault | null {
  const isKnown = SEARCH_MODES.some((known) => known === mode)
  return isKnown ? null : { field: 'mode', reason: `must be one of ${SEARCH_MODES.join(', ')}` }
}

interface Page {
  readonly size: number
  readonly from: number
  readonly other: number | undefined
}

function pageFault({ size, from, other }: Page, { maxResultWindow }: RequestBounds): RequestFault | null {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
    return { field: 'size', reason: `must be a whole number from 1 to ${MAX_SIZE}` }
  }
  if (other !== undefined && other !== from) return { field: 'from', reason: 'differs from from_, its other name' }
  if (!Number.isInteger(from) || from < 0) return { field: 'from_', reason: 'must be a whole number, 0 or more' }
  if (from + size <= maxResultWindow) return null
  return {
    field: 'from_',
    reason: `from_ + size is ${from + size}, over the ${maxResultWindow} that may be paged through`
  }
}

function typeFault(type: string | undefined, { knowledgeTypes }: RequestBounds): RequestFault | null {
  if (type === undefined || knowledgeTypes.includes(type)) return null
  return { field: 'knowledge_type', reason: `must be one of ${knowledgeTypes.join(', ')}` }
}

function keywordsFault(tokens: number): RequestFault | null {
  if (tokens <= MAX_KEYWORD_TOKENS) return null
  return {
    field: 'keywords',
    reason: `make ${tokens} tokens, over the ${MAX_KEYWORD_TOKENS} that are searched at once`
  }
}
