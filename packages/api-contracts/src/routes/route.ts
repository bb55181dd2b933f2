import type { z } from 'zod'
import type { ErrorCode } from '../errors/catalogue.ts'

/** One operation of the HTTP interface: what the server checks, what the client sends and what OpenAPI tells. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for a parameter. */
  readonly path: string
  readonly summary: string
  readonly params?: z.ZodType
  readonly body?: z.ZodType
  readonly response: z.ZodType
  /** Statuses of a good answer, all of the same shape. */
  readonly statuses: readonly number[]
  /** Codes that this route can answer with, besides those that every route can. */
  readonly errors: readonly ErrorCode[]
}

/** What any route can answer with: a foreign caller, a fault of ours. */
export const errorsOfEveryRoute = ['AUTH_FORBIDDEN', 'INTERNAL'] as const satisfies readonly ErrorCode[]
