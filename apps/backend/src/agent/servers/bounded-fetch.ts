import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { MESSAGE_BYTES, REQUESTS_AT_ONCE, STREAM_BYTES } from './bounds.ts'
import { networkFetch } from './network-fetch.ts'

/** Milliseconds beyond a call's own limit: the call is told first, then its connection is cut. */
const CUT_AFTER_MS = 5_000
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * `fetch` for a server that nobody has vouched for: an answer may have `MESSAGE_BYTES`, or one event of a stream, and a
 * request that was given up does not go on for ever. Redirects come back as they are: the transport follows them within the origin alone.
 * @param timeoutMs of one call
 * @param reachesAnything asked for each request: whether it may go to this machine, too
 */
export function boundedFetch(timeoutMs: number, reachesAnything: () => Promise<boolean>): FetchLike {
  const overNetwork = networkFetch()
  let underWay = 0
  const counted = async (...asked: Parameters<FetchLike>): Promise<Response> => {
    if (underWay >= REQUESTS_AT_ONCE) throw new Error(`more than ${REQUESTS_AT_ONCE} requests at once`)
    underWay += 1
    try {
      const send = (await reachesAnything()) ? fetch : overNetwork
      return await send(...asked)
    } finally {
      underWay -= 1
    }
  }
  return async (url, init = {}) => {
    const limit = init.method === 'GET' ? [] : [AbortSignal.timeout(timeoutMs + CUT_AFTER_MS)]
    const signal = AbortSignal.any([...limit, ...(init.signal ? [init.signal] : [])])
    const response = await counted(url, { ...init, redirect: 'manual', signal })
    if (response.body === null) return response
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(bounded(isStream)), { status, statusText, headers })
  }
}

/** Counts bytes; in a stream of events those since the last empty line. */
function bounded(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let [count, all] = [0, 0]
  let lineIsEmpty = true
  return new TransformStream({
    transform(chunk, controller) {
      if (isStream) for (const byte of chunk) countEventByte(byte)
      else count += chunk.length
      all += chunk.length
      if (all > STREAM_BYTES) controller.error(new Error(`more than ${STREAM_BYTES} bytes in one stream`))
      else if (count > MESSAGE_BYTES) controller.error(new Error(`more than ${MESSAGE_BYTES} bytes at once`))
      else controller.enqueue(chunk)
    }
  })

  function countEventByte(byte: number): void {
    count += 1
    if (byte === CARRIAGE_RETURN) return
    if (byte === LINE_FEED && lineIsEmpty) count = 0
    lineIsEmpty = byte === LINE_FEED
  }
}
