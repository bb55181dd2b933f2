import { z } from 'zod'
import { retrievalRequestSchema } from '../retrieval/retrieval-request.ts'
import { retrievalResponseSchema } from '../retrieval/retrieval-response.ts'
import { retrievalRunParamsSchema, retrievalRunSchema } from '../retrieval/retrieval-run.ts'
import { healthSchema, readinessSchema } from '../system/health.ts'
import type { Route } from './route.ts'

export const API_PREFIX = '/api/v1'

/** Every route of the server; what is not here does not exist. */
export const routes = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'The process lives; touches nothing',
    response: healthSchema,
    statuses: [200],
    errors: []
  },
  ready: {
    method: 'GET',
    path: '/ready',
    summary: 'Which parts can work; 503 when one cannot',
    response: readinessSchema,
    statuses: [200, 503],
    errors: []
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    response: z.record(z.string(), z.unknown()),
    statuses: [200],
    errors: []
  },
  retrieve: {
    method: 'POST',
    path: `${API_PREFIX}/retrieval`,
    summary: 'At most five pieces of evidence for a question, or an error',
    body: retrievalRequestSchema,
    response: retrievalResponseSchema,
    statuses: [200],
    errors: [
      'VALIDATION_FAILED',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'SYSTEM_UNAVAILABLE',
      'INDEX_MODEL_MISMATCH',
      'DATA_CORRUPT',
      'DATA_LOCKED',
      'STORAGE_FULL'
    ]
  },
  retrievalRun: {
    method: 'GET',
    path: `${API_PREFIX}/retrieval/runs/:runId`,
    summary: 'The stored record of one retrieval',
    params: retrievalRunParamsSchema,
    response: retrievalRunSchema,
    statuses: [200],
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SYSTEM_UNAVAILABLE', 'DATA_CORRUPT', 'DATA_LOCKED', 'STORAGE_FULL']
  }
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
