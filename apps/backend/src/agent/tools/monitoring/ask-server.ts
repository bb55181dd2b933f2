import { AppError } from '@oncall-agent/api-contracts'

/** A monitoring server that is only ever read. */
export interface MonitoringServer {
  /** For people and models; its address is neither's to know. */
  readonly name: 'Prometheus' | 'Alertmanager'
  /** An http or https address; a path in it is kept. */
  readonly url: string
  /** Sent as a bearer token; none when empty. */
  readonly accessToken: string
  /** Milliseconds of one read. */
  readonly timeoutMs: number
}

export interface MonitoringRequest {
  /** Under the server's address: `/api/v1/query`. */
  readonly path: string
  readonly parameters: URLSearchParams
  /** POST for what may be longer than an address; both only read. */
  readonly method: 'GET' | 'POST'
}

export interface MonitoringAnswer {
  readonly status: number
  readonly body: unknown
}

/** Bytes of an answer, decompressed: more is of no use to a model, and must not fill the memory. */
export const ANSWER_BYTES = 4 * 1024 * 1024

/**
 * One read. Answers with a status of 2xx, 400, 422 or 503 are given with their JSON: the server itself says more.
 * No redirect is followed, for the token would go along.
 * @throws AppError SYSTEM_UNAVAILABLE with a fixed message; VALIDATION_FAILED for an answer that is too large; the
 * signal's reason
 */
export async function askServer(
  server: MonitoringServer,
  request: MonitoringRequest,
  signal: AbortSignal
): Promise<MonitoringAnswer> {
  signal.throwIfAborted()
  const deadline = AbortSignal.timeout(server.timeoutMs)
  try {
    return await exchange(server, request, AbortSignal.any([signal, deadline]))
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof AppError) throw cause
    const what = deadline.aborted ? `gave no whole answer within ${server.timeoutMs} ms` : 'could not be reached'
    throw outage(server, what, cause)
  }
}

/** An outage of a monitoring server in words that say what must not be made of it. */
export function outage({ name }: MonitoringServer, what: string, cause?: unknown): AppError {
  return new AppError('SYSTEM_UNAVAILABLE', {
    operation: `read ${name}`,
    subject: name,
    message: `${name} ${what}; nothing is known about what it holds.`,
    ...(cause === undefined ? {} : { cause })
  })
}

async function exchange(
  server: MonitoringServer,
  { path, parameters, method }: MonitoringRequest,
  signal: AbortSignal
): Promise<MonitoringAnswer> {
  const base = server.url.replace(/\/+$/, '')
  const headers = {
    accept: 'application/json',
    ...(server.accessToken === '' ? {} : { authorization: `Bearer ${server.accessToken}` })
  }
  const common = { headers, redirect: 'manual', signal } as const
  const response =
    method === 'POST'
      ? await fetch(`${base}${path}`, { ...common, method, body: parameters })
      : await fetch(`${base}${path}?${parameters}`, common)
  const { status } = response
  if (!response.ok && ![400, 422, 503].includes(status)) {
    await response.body?.cancel()
    throw outage(server, refusal(status))
  }
  return { status, body: parsed(server, await bounded(server, response), status) }
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return 'refuses the access token of this product'
  if (status === 404 || status === 405) return 'is not at the configured address'
  if (status >= 300 && status < 400) return 'redirects to another address, which is not followed'
  return `answered with status ${status}`
}

async function bounded({ name }: MonitoringServer, response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream, which ends the request.
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > ANSWER_BYTES) {
      throw new AppError('VALIDATION_FAILED', {
        operation: `read ${name}`,
        subject: name,
        message: `The answer of ${name} is larger than ${ANSWER_BYTES} bytes: ask for less, by narrower labels or an aggregation.`
      })
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parsed(server: MonitoringServer, text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text. A proxy that has lost its server answers 503 with a page.
    throw outage(server, status === 503 ? 'answered with status 503' : 'answered with something that is not JSON')
  }
}
