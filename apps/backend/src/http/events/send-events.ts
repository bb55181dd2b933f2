import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { type SentEvent, writeEvents } from './write-events.ts'

/** Bytes that wait for a slow reader here; as many may wait in its connection. What is more waits in the feed. */
const BUFFER_BYTES = 16_384
/** A reader that takes nothing for so long is gone, whatever its connection says. In milliseconds. */
const STALL_LIMIT_MS = 60_000

export interface EventStreamOptions {
  readonly heartbeatMs: number
  readonly stallMs?: number
  /** Told of each stream when it begins and when it is over. */
  readonly onOpen?: (change: 1 | -1) => void
}

/**
 * Headers of a stream that nothing on the way may keep back, change or store. Its connection ends with it: a server that
 * stops would wait for one that is kept.
 */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close'
} as const

/**
 * The answer of a stream. The feed is read as fast as the client takes it: a slow one costs the same few kilobytes,
 * and one that takes nothing any more is cut off; it can take the stream up again.
 */
export function eventAnswer(
  feed: AsyncIterable<readonly SentEvent[]>,
  request: FastifyRequest,
  { heartbeatMs, stallMs = STALL_LIMIT_MS, onOpen }: EventStreamOptions
): { readonly headers: Readonly<Record<string, string>>; readonly body: Readable } {
  if (request.method === 'HEAD') return { headers: STREAM_HEADERS, body: Readable.from([]) }
  onOpen?.(1)
  const text = whileTaken(writeEvents(feed, heartbeatMs), stallMs, () => request.raw.socket.destroy())
  const body = Readable.from(text, { objectMode: false, highWaterMark: BUFFER_BYTES })
  body.once('close', () => onOpen?.(-1))
  return { headers: STREAM_HEADERS, body }
}

/** The same text; whoever does not ask for the next piece in time is told of. */
async function* whileTaken(
  text: AsyncIterable<string>,
  limitMs: number,
  onStalled: () => void
): AsyncGenerator<string, void, undefined> {
  for await (const piece of text) {
    const limit = setTimeout(onStalled, limitMs)
    try {
      yield piece
    } finally {
      clearTimeout(limit)
    }
  }
}
