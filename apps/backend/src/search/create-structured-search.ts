import type {
  SearchFeedback,
  SearchFeedbackInput,
  SearchFeedbackSummary,
  SearchResponse
} from '@oncall-agent/api-contracts'
import type { BusinessStore } from '../store/index.ts'
import type { Caller } from './caller.ts'
import { giveFeedback } from './structured/give-feedback.ts'
import { judgedSearches, type JudgedSearchRecord } from './structured/judged-searches.ts'
import { searchDocuments, type SearchOptions } from './structured/search-documents.ts'
import type { StructuredParts } from './structured/structured-parts.ts'
import { summariseFeedback, type Whose } from './structured/summarise-feedback.ts'

export interface StructuredSearchDependencies {
  readonly parts: StructuredParts
  readonly store: Pick<BusinessStore, 'searches' | 'searchFeedback' | 'documents'>
}

export interface StructuredSearch {
  /** A search bound to one caller: who asks and what they may read is no field of a request. */
  searchFor(caller: Caller): StructuredSearchTool
  /** @throws AppError NOT_FOUND for what is not the caller's */
  giveFeedback(caller: Omit<Caller, 'readable'>, feedback: SearchFeedbackInput): Promise<SearchFeedback>
  feedbackSummary(caller: Caller, whose: Whose): Promise<SearchFeedbackSummary>
  /** What settings are tuned by, oldest first; of everybody, for who works on the data folder itself. */
  judgedSearches(): Promise<readonly JudgedSearchRecord[]>
}

/** @throws AppError as `searchDocuments` */
export type StructuredSearchTool = (request: unknown, options?: SearchOptions) => Promise<SearchResponse>

export function createStructuredSearch({ parts, store }: StructuredSearchDependencies): StructuredSearch {
  const room = { parts, log: store.searches }
  return {
    searchFor: (caller) => (request, options) => searchDocuments(request, caller, room, options),
    giveFeedback: (caller, feedback) => giveFeedback(feedback, caller, store),
    feedbackSummary: (caller, whose) => summariseFeedback(caller, whose, store),
    judgedSearches: () => judgedSearches(store.searches)
  }
}
