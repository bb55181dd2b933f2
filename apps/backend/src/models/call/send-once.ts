import type { Endpoint } from './endpoint.ts'
import { readBody, readErrorBody } from './read-body.ts'
import { readRefusal } from './read-refusal.ts'
import { RemoteFailure } from './remote-failure.ts'

export interface JsonRequest {
  readonly body: unknown
  /** Bytes of the answer, decompressed; more is a failure. */
  readonly maxBytes: number
  /** What is made of the answer's text; JSON is parsed when absent. @throws RemoteFailure unreadable */
  readonly read?: (text: string) => unknown
}

/**
 * One try: posts JSON and gives the JSON of the answer, or what `read` makes of it. No redirect is followed, for the key would go along.
 * @throws RemoteFailure; what `fetch` rejects with when the signal is aborted
 */
export async function sendOnce(endpoint: Endpoint, request: JsonRequest, signal: AbortSignal): Promise<unknown> {
  const response = await connected(() =>
    fetch(endpoint.url, {
      method: 'POST',
      headers: endpoint.headers,
      body: JSON.stringify(request.body),
      redirect: 'manual',
      signal
    })
  )
  if (response.status >= 300 && response.status < 400) {
    await readErrorBody(response)
    throw new RemoteFailure({
      kind: 'redirected',
      reason: 'the server redirects to another address, which is not followed',
      status: response.status
    })
  }
  if (!response.ok) throw await readRefusal(response, endpoint)
  const { maxBytes, read = parse } = request
  return read(await connected(() => readBody(response, maxBytes)))
}

/** Errors of the connection, in our words: what the library says may hold an address. */
async function connected<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    const code = systemCode(thrown.cause)
    throw new RemoteFailure({
      kind: 'unreachable',
      reason: 'the connection failed or broke',
      ...(code === undefined ? {} : { code })
    })
  }
}

/** Of several addresses of one host the first one that failed speaks for all. */
function systemCode(cause: unknown): string | undefined {
  if (cause instanceof AggregateError && cause.errors.length > 0) return systemCode(cause.errors[0])
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text.
    throw new RemoteFailure({ kind: 'unreadable', reason: 'the answer is not JSON' })
  }
}
