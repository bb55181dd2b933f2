/** One event of a `text/event-stream`, as the HTML standard reads it (server-sent events, "parsing an event stream"). */
export interface StreamEvent {
  /** Empty where the stream gave none; it goes on for the events after it. */
  readonly id: string
  readonly type: string
  readonly data: string
}

/**
 * The events of a body as they arrive; comments and fields that nobody uses are skipped, and so is an event that the end
 * of the stream cut off. Lines end in LF, CR or CRLF. Leaving the loop early cancels the body.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
  let id = ''
  let type = ''
  let data: string[] = []
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { id, type: type === '' ? 'message' : type, data: data.join('\n') }
      type = ''
      data = []
      continue
    }
    const [, name, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') data.push(value ?? '')
    else if (name === 'event') type = value ?? ''
    else if (name === 'id' && !(value ?? '').includes('\0')) id = value ?? ''
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      // A CR at the very end may be half of a CRLF: it waits for what follows.
      const lines = `${rest}${value}`.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    // Whoever stops listening lets the connection go.
    await reader.cancel().catch(() => undefined)
  }
}
