import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds without an answer after which we say that nothing more comes, as a client that hangs up does. */
const HANG_UP_MS = 500
/** Milliseconds for an answer, hanging up included. */
const ANSWER_MS = 10_000

/** Bytes as they go over the wire; nothing completes or mends them. */
export interface RawRequest {
  readonly bytes: Buffer
  /** Where to wait while sending, as a slow client does. */
  readonly pauseAt?: number
  /** Hang up when no answer comes: the request may say that more of it follows. */
  readonly unfinished?: true
}

/** The first answer on the connection. */
export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Undefined when the server closes the connection without a word. Rejects when it neither answers nor closes. */
export async function sendRaw(
  port: number,
  { bytes, pauseAt, unfinished }: RawRequest
): Promise<RawAnswer | undefined> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const received: Buffer[] = []
  const head = bytes.subarray(0, 5).toString() === 'HEAD '
  // A server may close before it has read all, and our next write then fails: what it said first counts.
  // So an error is no more than the end that follows it (`close`), and nothing here may wait with `once`, which rejects.
  socket.on('error', () => undefined)
  const closed = new Promise<'closed'>((resolve) => {
    socket.once('end', () => resolve('closed'))
    socket.once('close', () => resolve('closed'))
  })
  let more: (() => void) | undefined
  socket.on('data', (part: Buffer) => {
    received.push(part)
    more?.()
  })
  try {
    const connected = new Promise<void>((resolve) => socket.once('connect', resolve))
    await Promise.race([connected, closed])
    socket.write(bytes.subarray(0, pauseAt ?? bytes.length))
    if (pauseAt !== undefined) {
      await delay(20)
      if (received.length === 0) socket.write(bytes.subarray(pauseAt))
    }
    const started = Date.now()
    let hungUp = false
    while (true) {
      const answer = readAnswer(Buffer.concat(received), head)
      if (answer) return answer
      const waited = Date.now() - started
      if (waited > ANSWER_MS) throw new Error(`no answer and no end within ${ANSWER_MS} ms`)
      if (unfinished && waited > HANG_UP_MS && !hungUp) {
        hungUp = true
        socket.end()
      }
      const next = new Promise<void>((resolve) => (more = resolve))
      const event = await Promise.race([next, closed, delay(HANG_UP_MS / 2)])
      if (event === 'closed') return readAnswer(Buffer.concat(received), true)
    }
  } finally {
    socket.destroy()
  }
}

/** Undefined while it is not complete. `ended`: nothing more comes (no body of an answer to HEAD), what is there is all. */
function readAnswer(bytes: Buffer, ended = false): RawAnswer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1[.]1 (\d{3})/.exec(statusLine)?.[1])
  if (status === 100) return readAnswer(bytes.subarray(headEnd + 4), ended)
  const headers = new Map(
    lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  )
  const rest = bytes.subarray(headEnd + 4)
  const length = Number(headers.get('content-length') ?? 0)
  const chunked = headers.get('transfer-encoding') === 'chunked'
  const complete = ended || (chunked ? rest.includes('0\r\n\r\n') : rest.length >= length)
  // Behind it may be the answer to the next request.
  return complete ? { status, headers, body: (chunked ? rest : rest.subarray(0, length)).toString() } : undefined
}
