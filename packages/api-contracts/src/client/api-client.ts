import type { z } from 'zod'
import { errorCatalogue } from '../errors/catalogue.ts'
import { errorBodySchema } from '../errors/error-body.ts'
import type { RetrievalRequestInput } from '../retrieval/retrieval-request.ts'
import type { RetrievalResponse } from '../retrieval/retrieval-response.ts'
import type { RetrievalRun } from '../retrieval/retrieval-run.ts'
import type { Route } from '../routes/route.ts'
import { routes } from '../routes/route-table.ts'
import type { Health, Readiness } from '../system/health.ts'
import { ApiError } from './api-error.ts'

export interface ApiClientOptions {
  /** Origin of the server, without a path: "http://127.0.0.1:8000". */
  readonly baseUrl: string
  /** Another `fetch`, for a test or a page that adds headers. */
  readonly fetch?: typeof fetch
}

/** Every method rejects with ApiError, or with the signal's reason when it was aborted. */
export interface ApiClient {
  health(signal?: AbortSignal): Promise<Health>
  /** Resolves with `ready: false` too; only a server that cannot say is an error. */
  ready(signal?: AbortSignal): Promise<Readiness>
  retrieve(request: RetrievalRequestInput, signal?: AbortSignal): Promise<RetrievalResponse>
  retrievalRun(runId: string, signal?: AbortSignal): Promise<RetrievalRun>
}

/** A client of the HTTP interface for the browser and for Node; answers are checked against the contracts. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const call = async <R extends Route>(route: R, input: CallInput): Promise<z.output<R['response']>> =>
    readAnswer(route, await send(options, route, input), input.signal)
  return {
    health: (signal) => call(routes.health, { signal }),
    ready: (signal) => call(routes.ready, { signal }),
    retrieve: (body, signal) => call(routes.retrieve, { body, signal }),
    retrievalRun: (runId, signal) => call(routes.retrievalRun, { params: { runId }, signal })
  }
}

interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal: AbortSignal | undefined
}

async function send(options: ApiClientOptions, route: Route, input: CallInput): Promise<Response> {
  const path = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(input.params?.[name] ?? '')
  )
  const body =
    input.body === undefined
      ? {}
      : { body: JSON.stringify(input.body), headers: { 'content-type': 'application/json' } }
  try {
    const request = { method: route.method, signal: input.signal ?? null, ...body }
    return await (options.fetch ?? fetch)(new URL(path, options.baseUrl), request)
  } catch (cause) {
    input.signal?.throwIfAborted()
    throw unavailable(0, cause)
  }
}

async function readAnswer<R extends Route>(
  route: R,
  response: Response,
  signal: AbortSignal | undefined
): Promise<z.output<R['response']>> {
  const answer: unknown = await response.json().catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw unavailable(response.status, cause)
  })
  if (!route.statuses.includes(response.status)) {
    const refused = errorBodySchema.safeParse(answer)
    // Not our shape: a proxy in between, or no server of ours.
    throw refused.success ? new ApiError(response.status, refused.data) : unavailable(response.status, refused.error)
  }
  const parsed = route.response.safeParse(answer)
  if (!parsed.success) throw unavailable(response.status, parsed.error)
  return parsed.data as z.output<R['response']>
}

function unavailable(status: number, cause: unknown): ApiError {
  const error = {
    code: 'SYSTEM_UNAVAILABLE',
    message: errorCatalogue.SYSTEM_UNAVAILABLE.message.en,
    requestId: ''
  } as const
  return new ApiError(status, { error }, cause)
}
