import type { Readable } from 'node:stream'
import { AppError } from '@oncall-agent/api-contracts'

/** Milliseconds without a byte after which the connection is cut; slower senders only hold it. */
const STALL_MS = 30_000

/**
 * The bytes of a request as they come. Stopping early leaves the connection whole, so that an answer can be sent.
 * @throws AppError VALIDATION_FAILED when the body ends too early or stops coming
 */
export async function* arrivingBody(body: Readable, stallMs = STALL_MS): AsyncGenerator<Buffer> {
  const cut = () => body.destroy(new Error(`no byte of the body in ${stallMs} ms`))
  let timer = setTimeout(cut, stallMs)
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      // Only the wait for the sender counts, not what is done with the bytes.
      clearTimeout(timer)
      yield chunk as Buffer
      timer = setTimeout(cut, stallMs)
    }
  } catch (cause) {
    const message = 'The body ended too early.'
    throw new AppError('VALIDATION_FAILED', { operation: 'read body', message, cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Lets the rest of a body that is not wanted go by, so that the client hears the answer and may ask again. */
export function dropRest(body: Readable): void {
  body.on('error', () => undefined)
  body.resume()
}
