import {
  searchFeedbackInputSchema,
  searchFeedbackSchema,
  searchFeedbackSummarySchema
} from '../search/search-feedback.ts'
import { searchRequestSchema } from '../search/search-request.ts'
import { searchResponseSchema } from '../search/search-response.ts'
import { API_PREFIX } from './prefix.ts'
import type { Route } from './route.ts'

export const searchRoutes = {
  search: {
    method: 'POST',
    path: `${API_PREFIX}/search`,
    summary: 'Documents by exact filters, keywords and a sentence, and how strictly they match',
    access: ['retrieve'],
    body: searchRequestSchema,
    response: searchResponseSchema,
    localised: true,
    statuses: [200],
    errors: ['INDEX_MODEL_MISMATCH']
  },
  giveSearchFeedback: {
    method: 'POST',
    path: `${API_PREFIX}/search/feedback`,
    summary: 'Says whether a document of an own search helped; once a document, a later verdict takes its place',
    access: ['retrieve'],
    body: searchFeedbackInputSchema,
    response: searchFeedbackSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  searchFeedbackSummary: {
    method: 'GET',
    path: `${API_PREFIX}/search/feedback/summary`,
    summary: 'How often documents of searches helped',
    access: ['retrieve'],
    response: searchFeedbackSummarySchema,
    statuses: [200],
    errors: []
  }
} as const satisfies Record<string, Route>
