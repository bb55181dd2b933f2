import type { z } from 'zod'
import { errorCatalogue } from '../errors/catalogue.ts'
import { errorBodySchema } from '../errors/error-body.ts'
import type { Route } from '../routes/route.ts'
import { type RouteName, routes } from '../routes/route-table.ts'
import { ApiError } from './api-error.ts'
import { readEvents } from './read-events.ts'

export interface ApiClientOptions {
  /** Origin of the server, without a path: "http://127.0.0.1:8000". */
  readonly baseUrl: string
  /** An API key; a page of the server itself has a cookie instead. */
  readonly apiKey?: string
  /** Another `fetch`, for a test or a page that adds headers. */
  readonly fetch?: typeof fetch
}

type Given<Schema> = Schema extends z.ZodType ? z.input<Schema> : never
type Part<R extends Route, Key extends 'params' | 'query' | 'body' | 'form'> =
  R extends Record<Key, infer Schema>
    ? Key extends 'query'
      ? { readonly query?: TextOf<Given<Schema>> }
      : Key extends 'form'
        ? { readonly form?: TextOf<Given<Schema>>; readonly files: readonly UploadFile[] }
        : { readonly [K in Key]: Given<Schema> }
    : unknown
/** Query and form values are sent as text; numbers and booleans may be given as what they are. */
type TextOf<Fields> = { readonly [K in keyof Fields]: Fields[K] | number | boolean }

export interface UploadFile {
  readonly name: string
  readonly content: Blob
}

/** What a call of a route takes: its parameters, query, body or form with files. */
export type CallInput<R extends Route> = Part<R, 'params'> &
  Part<R, 'query'> &
  Part<R, 'body'> &
  Part<R, 'form'> & {
    readonly signal?: AbortSignal
    /** Makes a repeated upload the same upload. */
    readonly idempotencyKey?: string
    /** Goes on behind this event of a stream. */
    readonly lastEventId?: string
  }

/** An event with its id, which `lastEventId` takes. */
export interface ReceivedEvent<Event> {
  readonly id: string
  readonly event: Event
}

/** What it resolves with: the checked answer, a Blob for bytes, events as they come, nothing for no content. */
export type CallOutput<R extends Route> = R extends { readonly response: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : R extends { readonly bytes: true }
    ? Blob
    : R extends { readonly events: infer Schema extends z.ZodType }
      ? AsyncGenerator<ReceivedEvent<z.output<Schema>>, void, undefined>
      : undefined

type Needs<R extends Route> = R extends
  | { readonly params: z.ZodType }
  | { readonly body: z.ZodType }
  | { readonly form: z.ZodType }
  ? [input: CallInput<R>]
  : [input?: CallInput<R>]

/** One method a route. Every one rejects with ApiError, or with the signal's reason when it was aborted. */
export type ApiClient = {
  readonly [Name in RouteName]: (...input: Needs<(typeof routes)[Name]>) => Promise<CallOutput<(typeof routes)[Name]>>
}

/** A client of the HTTP interface for the browser and for Node; answers are checked against the contracts. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const method =
    (route: Route) =>
    async (input: AnyInput = {}) =>
      readAnswer(route, await send(options, route, input), input.signal)
  const methods = Object.entries(routes).map(([name, route]) => [name, method(route)])
  return Object.fromEntries(methods) as ApiClient
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly files?: readonly UploadFile[]
  readonly signal?: AbortSignal
  readonly idempotencyKey?: string
  readonly lastEventId?: string
}

async function send(options: ApiClientOptions, route: Route, input: AnyInput): Promise<Response> {
  const headers: Record<string, string> = {
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...(input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }),
    ...(input.lastEventId === undefined ? {} : { 'last-event-id': input.lastEventId }),
    ...(input.body === undefined ? {} : { 'content-type': 'application/json' })
  }
  const body = input.files === undefined ? jsonOf(input.body) : formOf(input)
  try {
    const request = { method: route.method, signal: input.signal ?? null, headers, body }
    return await (options.fetch ?? fetch)(addressOf(options.baseUrl, route, input), request)
  } catch (cause) {
    input.signal?.throwIfAborted()
    throw unavailable(0, cause)
  }
}

function addressOf(baseUrl: string, route: Route, { params, query = {} }: AnyInput): URL {
  const path = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params?.[name] ?? ''))
  const url = new URL(path, baseUrl)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  return url
}

function jsonOf(body: unknown): string | null {
  return body === undefined ? null : JSON.stringify(body)
}

/** Fields first: the server wants to know them before it meets the files. */
function formOf({ form = {}, files = [] }: AnyInput): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) if (value !== undefined) data.append(name, String(value))
  for (const { name, content } of files) data.append('file', content, name)
  return data
}

async function readAnswer(route: Route, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const unreadable = (cause: unknown): never => {
    signal?.throwIfAborted()
    throw unavailable(response.status, cause)
  }
  const good = route.statuses.includes(response.status)
  if (good && response.status === 204) return undefined
  if (good && route.bytes) return response.blob().catch(unreadable)
  if (good && route.events !== undefined && response.body !== null) {
    return checkedEvents(response.body, route.events, unreadable)
  }
  const answer: unknown = await response.json().catch(unreadable)
  if (!good) {
    const refused = errorBodySchema.safeParse(answer)
    // Not our shape: a proxy in between, or no server of ours.
    throw refused.success ? new ApiError(response.status, refused.data) : unavailable(response.status, refused.error)
  }
  const parsed = route.response?.safeParse(answer)
  if (parsed?.success !== true) throw unavailable(response.status, parsed?.error)
  return parsed.data
}

/** Events in order; a broken connection or an event of another shape rejects as an answer of that kind would. */
async function* checkedEvents(
  body: ReadableStream<Uint8Array>,
  schema: z.ZodType,
  unreadable: (cause: unknown) => never
): AsyncGenerator<ReceivedEvent<unknown>, void, undefined> {
  try {
    for await (const { id, data } of readEvents(body)) yield { id, event: schema.parse(JSON.parse(data)) }
  } catch (cause) {
    unreadable(cause)
  }
}

function unavailable(status: number, cause: unknown): ApiError {
  const error = {
    code: 'SYSTEM_UNAVAILABLE',
    message: errorCatalogue.SYSTEM_UNAVAILABLE.message.en,
    requestId: ''
  } as const
  return new ApiError(status, { error }, cause)
}
