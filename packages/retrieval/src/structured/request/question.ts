import type { ReadablePair, StructuredFilters } from '../../ports/index.ts'

export const SEARCH_MODES = ['auto', 'strict', 'loose', 'vector_only'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]

/** Languages that an answer's fixed texts exist in. */
export type AnswerLanguage = 'zh' | 'en'

/** A request as a caller sends it, by the names of the contract; its types are checked before, its values are not. */
export interface StructuredRequest {
  readonly project?: string
  readonly equipment?: string
  readonly error_codes?: readonly string[]
  readonly knowledge_type?: string
  readonly keywords?: readonly string[]
  readonly query_text?: string
  readonly mode?: string
  readonly size?: number
  readonly from_?: number
  /** Another name of `from_`. */
  readonly from?: number
}

/** A checked request: nothing in it is left to refuse. */
export interface StructuredQuestion {
  readonly pairs: readonly ReadablePair[]
  readonly filters: StructuredFilters
  /** Each word once, in the order asked. */
  readonly keywords: readonly Keyword[]
  /** Not blank. */
  readonly queryText?: string
  readonly mode: SearchMode
  readonly from: number
  readonly size: number
  readonly language: AnswerLanguage
}

export interface Keyword {
  readonly text: string
  /** Distinct tokens v1; none for a keyword of punctuation alone, which then matches nothing. */
  readonly tokens: readonly string[]
}

/** The text that a question means: its sentence, or else its keywords in a row; undefined where it has neither. */
export function meantText({ queryText, keywords }: StructuredQuestion): string | undefined {
  if (queryText !== undefined) return queryText
  return keywords.length === 0 ? undefined : keywords.map((keyword) => keyword.text).join(' ')
}
