import { RemoteFailure } from './remote-failure.ts'

/** Bytes of an error's body that are looked at: its code stands at the beginning. */
const ERROR_BYTES = 16_384

/**
 * The whole body as text.
 * @throws RemoteFailure `unreadable` as soon as it is larger than `maxBytes` (decompressed); the rest is not received
 */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  const { text, complete } = await readStart(response, maxBytes)
  if (complete) return text
  throw new RemoteFailure({ kind: 'unreadable', reason: `the answer is larger than ${maxBytes} bytes` })
}

/** The beginning of an error's body; what cannot be read is empty, for the status has already said what matters. */
export async function readErrorBody(response: Response): Promise<string> {
  try {
    return (await readStart(response, ERROR_BYTES)).text
  } catch {
    return ''
  }
}

async function readStart(response: Response, maxBytes: number): Promise<{ text: string; complete: boolean }> {
  if (response.body === null) return { text: '', complete: true }
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream, which ends the request.
  for await (const part of response.body) {
    const room = maxBytes - size
    parts.push(part.length > room ? part.subarray(0, room) : part)
    if (part.length > room) return { text: decode(parts), complete: false }
    size += part.length
  }
  return { text: decode(parts), complete: true }
}

function decode(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8')
}
