import type { Client } from '@opensearch-project/opensearch'
import { EngineFault } from './engine-fault.ts'
import { readFault } from './read-fault.ts'

export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Its names encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: object
  /** Lines of a bulk request. */
  readonly lines?: readonly string[]
  readonly timeoutMs: number
}

export interface EngineAnswer {
  readonly body: unknown
  readonly headers: Readonly<Record<string, unknown>>
}

/**
 * Milliseconds. The client's own time-out comes first, because it makes the client avoid that node; but it ends with the
 * head of the answer, and a body that never ends must not be waited for.
 */
const BODY_GRACE_MS = 250

/** One attempt at one node. Gives a fault instead of throwing it; when a signal ends it, any fault. */
export async function sendOnce(
  client: Client,
  { method, path, query = {}, body, lines, timeoutMs }: Attempt,
  signals: readonly (AbortSignal | undefined)[]
): Promise<EngineAnswer | EngineFault> {
  const sent = client.transport.request(
    {
      method,
      path,
      querystring: { ...query },
      ...(body === undefined ? {} : { body }),
      ...(lines === undefined ? {} : { bulkBody: lines.map((line) => `${line}\n`).join('') })
    },
    { requestTimeout: timeoutMs }
  )
  let isLate = false
  const stop = (): void => void sent.abort()
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, timeoutMs + BODY_GRACE_MS)
  for (const signal of signals) signal?.addEventListener('abort', stop, { once: true })
  if (signals.some((signal) => signal?.aborted)) stop()
  try {
    const { body: answer, headers } = await sent
    return { body: answer, headers: headers ?? {} }
  } catch (error) {
    return isLate ? new EngineFault('timed-out', { reason: 'the answer did not end' }) : readFault(error)
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal?.removeEventListener('abort', stop)
  }
}
