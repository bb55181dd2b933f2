import { z } from 'zod'
import { jobSchema, jobsQuerySchema, systemSummarySchema } from '../jobs/job.ts'
import { pageOf } from '../pages/page.ts'
import { healthSchema, readinessSchema } from '../system/health.ts'
import { API_PREFIX } from './prefix.ts'
import type { Route } from './route.ts'

export const systemRoutes = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'The process lives; touches nothing',
    access: 'anyone',
    response: healthSchema,
    statuses: [200],
    errors: []
  },
  ready: {
    method: 'GET',
    path: '/ready',
    summary: 'Which parts can work; 503 when one cannot',
    access: 'anyone',
    response: readinessSchema,
    statuses: [200, 503],
    errors: []
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    access: 'anyone',
    response: z.record(z.string(), z.unknown()),
    statuses: [200],
    errors: []
  },
  docs: {
    method: 'GET',
    path: '/docs',
    summary: 'This description, as a page to read',
    access: 'anyone',
    bytes: true,
    mediaTypes: ['text/html'],
    statuses: [200],
    errors: []
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Counts and times for Prometheus, in its text format',
    access: ['admin'],
    local: true,
    bytes: true,
    mediaTypes: ['text/plain'],
    statuses: [200],
    errors: []
  },
  systemSummary: {
    method: 'GET',
    path: `${API_PREFIX}/system`,
    summary: 'Size of the index and state of the background work',
    access: ['admin'],
    response: systemSummarySchema,
    statuses: [200],
    errors: []
  },
  jobs: {
    method: 'GET',
    path: `${API_PREFIX}/jobs`,
    summary: 'Background work, newest first',
    access: ['admin'],
    query: jobsQuerySchema,
    response: pageOf(jobSchema),
    statuses: [200],
    errors: []
  }
} as const satisfies Record<string, Route>
