import type { z } from 'zod'
import type { ApiScope } from '../access/api-key.ts'
import type { ErrorCode } from '../errors/catalogue.ts'

/**
 * Who may call a route. `anyone`: without signing in. `person`: who has signed in with a password, never a key.
 * Scopes: a key that has one of them, or a person; `admin` is for administrators alone.
 */
export type RouteAccess = 'anyone' | 'person' | readonly ApiScope[]

/** One operation of the HTTP interface: what the server checks, what the client sends and what OpenAPI tells. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for a parameter. */
  readonly path: string
  readonly summary: string
  readonly access: RouteAccess
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Text fields of a `multipart/form-data` body, beside one or more parts named `file`. */
  readonly form?: z.ZodType
  /** Absent: no content, or bytes (`bytes`). */
  readonly response?: z.ZodType
  /** The answer is no JSON: a file as it was uploaded, a page, text. */
  readonly bytes?: true
  /** The answer is a stream of these (`text/event-stream`); an error before its first event is answered as JSON. */
  readonly events?: z.ZodType
  /** Types that `bytes` come as; anything when absent. */
  readonly mediaTypes?: readonly string[]
  /** The answer has an `ETag`; with it in `If-None-Match` an answer that did not change is 304 and empty. */
  readonly conditional?: true
  /** Also open to a caller on the server's own machine who shows no credentials. */
  readonly local?: true
  /** Takes the `Idempotency-Key` header: the same key and body again give the first answer again. */
  readonly idempotent?: true
  /** Fixed texts of the answer are in the language that `Accept-Language` likes better: Chinese or English. */
  readonly localised?: true
  /** Statuses of a good answer, all of the same shape. */
  readonly statuses: readonly number[]
  /** Codes that this route can answer with, besides those that follow from what it takes. */
  readonly errors: readonly ErrorCode[]
}

/** What any answer that needs the data folder can fail with. */
export const storageErrors = [
  'SYSTEM_UNAVAILABLE',
  'DATA_CORRUPT',
  'DATA_LOCKED',
  'STORAGE_FULL'
] as const satisfies readonly ErrorCode[]

/** Every code that a route can answer with: its own, those of its access and input, and those that any route has. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const codes: ErrorCode[] = [...route.errors, 'AUTH_FORBIDDEN', 'RATE_LIMITED', 'INTERNAL']
  if (route.access !== 'anyone') codes.push('AUTH_REQUIRED', ...storageErrors)
  if (route.params ?? route.query) codes.push('VALIDATION_FAILED')
  // Whoever may send a body may send a bad one, also where none is wanted.
  if (route.method !== 'GET') codes.push('VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  return [...new Set(codes)]
}
