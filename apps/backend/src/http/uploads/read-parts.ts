import { AppError } from '@oncall-agent/api-contracts'

/** Bytes of the headers of one part: a long file name, percent-encoded twice over, fits. */
const HEADERS_LIMIT = 16_384
/** Bytes after a boundary until its line ends; senders put none there. */
const PADDING_LIMIT = 256

const LINE_END = Buffer.from('\r\n')
const HEADERS_END = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)

/** One part of a multipart body. */
export interface Part {
  /** Its header lines, as bytes. */
  readonly headers: Buffer
  /** To be read before the next part is asked for; what is left unread is passed over. */
  readonly content: AsyncIterable<Buffer>
}

/**
 * The parts of a multipart body (RFC 2046, 5.1.1) one after the other while it arrives. No more of it is held than a
 * chunk as it came and what might be the beginning of a boundary.
 * @throws AppError VALIDATION_FAILED when the body is no multipart body, or ends before its last boundary
 */
export async function* readParts(body: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  // The first boundary may stand at the very beginning, without the line end that all others follow.
  const feed = new Feed(body, LINE_END)
  await drain(feed.until(delimiter))
  while (!(await isLast(feed))) {
    // The end of the boundary's line is read with them: a part without headers has only an empty line.
    const headers = await feed.take(HEADERS_END, HEADERS_LIMIT)
    const content = feed.until(delimiter)
    yield { headers: headers.subarray(LINE_END.length), content }
    await drain(content)
  }
}

/** Whether the boundary just read closes the body; else its line has been read up to its end. */
async function isLast(feed: Feed): Promise<boolean> {
  if (await feed.startsWith('--')) return true
  const padding = await feed.peek(LINE_END, PADDING_LIMIT)
  if (padding.toString('latin1').trim() !== '') throw broken()
  feed.drop(padding.length)
  return false
}

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  const chunks = content[Symbol.asyncIterator]()
  while (!(await chunks.next()).done) continue
}

/** Bytes that have come and were not used yet. */
class Feed {
  readonly #body: AsyncIterator<Buffer>
  #held: Buffer

  constructor(body: AsyncIterator<Buffer>, held: Buffer) {
    this.#body = body
    this.#held = held
  }

  /** What comes before the mark, as it comes; the mark is used up. Ends at once when that has been read already. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark)
      const ready = at === -1 ? Math.max(0, this.#held.length - mark.length + 1) : at
      const chunk = this.#held.subarray(0, ready)
      this.drop(at === -1 ? ready : at + mark.length)
      if (chunk.length > 0) yield chunk
      if (at !== -1) return
      await this.#grow()
    }
  }

  /** What comes before the mark; the mark is used up. */
  async take(mark: Buffer, limit: number): Promise<Buffer> {
    const found = await this.peek(mark, limit)
    this.drop(found.length + mark.length)
    return found
  }

  async peek(mark: Buffer, limit: number): Promise<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark)
      if (at > limit || (at === -1 && this.#held.length > limit + mark.length)) throw broken()
      if (at !== -1) return this.#held.subarray(0, at)
      await this.#grow()
    }
  }

  async startsWith(text: string): Promise<boolean> {
    while (this.#held.length < text.length) await this.#grow()
    return this.#held.toString('latin1', 0, text.length) === text
  }

  drop(count: number): void {
    this.#held = count === this.#held.length ? NOTHING : this.#held.subarray(count)
  }

  async #grow(): Promise<void> {
    const next = await this.#body.next()
    if (next.done) throw broken('The form ended before its last boundary.')
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value])
  }
}

function broken(message = 'The form is not valid multipart/form-data.'): AppError {
  return new AppError('VALIDATION_FAILED', { operation: 'read form', message })
}
