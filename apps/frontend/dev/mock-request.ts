import { type ErrorCode, errorCatalogue, PAGE_DEFAULT, type RouteName } from '@oncall-agent/api-contracts'
import type { MockState } from './mock-state.ts'

/** One call of a route, taken apart. */
export interface MockRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
  readonly form: FormData | null
  /** Value of Accept-Language. */
  readonly language: string
  /** Value of Last-Event-ID. */
  readonly lastEventId: string | null
  readonly state: MockState
}

/** What a handler answers: a body with the route's first status, or another status with it, or a stream of events. */
export type MockAnswer = {
  readonly status?: number
  readonly body?: unknown
  readonly events?: AsyncIterable<{ readonly id: string; readonly event: { readonly type: string } }>
}
export type MockHandlers = Partial<Record<RouteName, (request: MockRequest) => MockAnswer>>

/** Thrown by a handler to answer with an error of the catalogue. */
export class MockRefusal extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  constructor(code: ErrorCode, details?: Readonly<Record<string, unknown>>, message?: string) {
    super(message ?? errorCatalogue[code].message.en)
    this.code = code
    this.details = details
  }
}

export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new MockRefusal('NOT_FOUND')
  return value
}

export function pageOf<Item>(all: readonly Item[], query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? PAGE_DEFAULT)
  const from = Number(query.get('cursor') ?? 0)
  const next = from + limit < all.length ? String(from + limit) : null
  return { body: { items: all.slice(from, from + limit), nextCursor: next, total: all.length } }
}

export function nextId(state: MockState, kind: string): string {
  state.last++
  return `${kind}-${state.last.toString(16).padStart(8, '0')}`
}
