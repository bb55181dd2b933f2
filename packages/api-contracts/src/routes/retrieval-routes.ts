import { retrievalRequestSchema } from '../retrieval/retrieval-request.ts'
import { retrievalResponseSchema } from '../retrieval/retrieval-response.ts'
import { retrievalRunParamsSchema, retrievalRunSchema } from '../retrieval/retrieval-run.ts'
import { API_PREFIX } from './prefix.ts'
import type { Route } from './route.ts'

export const retrievalRoutes = {
  retrieve: {
    method: 'POST',
    path: `${API_PREFIX}/retrieval`,
    summary: 'At most five pieces of evidence for a question, or an error',
    access: ['retrieve'],
    body: retrievalRequestSchema,
    response: retrievalResponseSchema,
    statuses: [200],
    errors: ['INDEX_MODEL_MISMATCH']
  },
  retrievalRun: {
    method: 'GET',
    path: `${API_PREFIX}/retrieval/runs/:runId`,
    summary: 'The stored record of one retrieval',
    access: ['retrieve'],
    params: retrievalRunParamsSchema,
    response: retrievalRunSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  }
} as const satisfies Record<string, Route>
