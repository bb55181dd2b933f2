import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from './endpoint.ts'
import { RemoteFailure } from './remote-failure.ts'
import { waitBeforeRetry } from './retry-policy.ts'
import { type JsonRequest, sendOnce } from './send-once.ts'

/**
 * One call of a model's server: tried again while that may help, all within the endpoint's deadline.
 * An aborted signal ends the request at the server too.
 * @throws RemoteFailure; the signal's reason
 */
export async function postJson(endpoint: Endpoint, request: JsonRequest, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted()
  const deadline = new AbortController()
  // A timer of our own ends with the call; AbortSignal.timeout would keep what hangs on it until it is due.
  const timer = setTimeout(() => deadline.abort(timedOut(endpoint)), endpoint.timeoutMs)
  try {
    return await tryUntil(deadline.signal, endpoint, request, signal)
  } finally {
    clearTimeout(timer)
  }
}

async function tryUntil(
  deadline: AbortSignal,
  endpoint: Endpoint,
  request: JsonRequest,
  signal: AbortSignal
): Promise<unknown> {
  const endsAt = performance.now() + endpoint.timeoutMs
  const stop = AbortSignal.any([signal, deadline])
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await sendOnce(endpoint, request, stop)
    } catch (thrown) {
      signal.throwIfAborted()
      const failure: unknown = deadline.aborted ? deadline.reason : thrown
      if (!(failure instanceof RemoteFailure)) throw thrown
      const wait = waitBeforeRetry(failure, attempts, endsAt - performance.now())
      if (wait === undefined) throw failure.after(attempts)
      await pause(wait, signal)
    }
  }
}

function timedOut({ timeoutMs }: Endpoint): RemoteFailure {
  return new RemoteFailure({ kind: 'timed-out', reason: `there was no whole answer within ${timeoutMs} ms` })
}

async function pause(wait: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(wait, undefined, { signal })
  } catch {
    signal.throwIfAborted()
  }
}
