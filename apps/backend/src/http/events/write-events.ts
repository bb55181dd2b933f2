/** An event as it is sent; its type is the name that clients listen for. */
export interface SentEvent {
  readonly id: number
  readonly event: { readonly type: string }
}

/** A comment: clients skip it, what stands between them and us sees that the stream lives. */
const HEARTBEAT = ': \n\n'

/** UTF-16 units that are made ready at once. */
const PARCEL_UNITS = 32_768

/** Text of a `text/event-stream`: events as they come, and a comment when none came for so long. */
export async function* writeEvents(
  feed: AsyncIterable<readonly SentEvent[]>,
  heartbeatMs: number
): AsyncGenerator<string, void, undefined> {
  const events = feed[Symbol.asyncIterator]()
  try {
    let next = events.next()
    for (;;) {
      const came = await within(next, heartbeatMs)
      if (came === undefined) {
        yield HEARTBEAT
        continue
      }
      if (came.done === true) return
      yield* parcels(came.value)
      next = events.next()
    }
  } finally {
    // Not waited for: a feed that waits for its next event ends with the signal of the request.
    void events.return?.()
  }
}

/** Events of one moment leave together; many of them in parcels, so that a slow reader takes one before the next is made. */
function* parcels(events: readonly SentEvent[]): Generator<string, void, undefined> {
  let parcel = ''
  for (const each of events) {
    parcel += textOf(each)
    if (parcel.length < PARCEL_UNITS) continue
    yield parcel
    parcel = ''
  }
  if (parcel !== '') yield parcel
}

/** JSON has no line ends of its own, so that data is always one line. */
function textOf({ id, event }: SentEvent): string {
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Undefined when it takes longer. */
async function within<Value>(value: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const limit = setTimeout(resolve, limitMs, undefined)
  try {
    return await Promise.race([value, promise])
  } finally {
    clearTimeout(limit)
  }
}
