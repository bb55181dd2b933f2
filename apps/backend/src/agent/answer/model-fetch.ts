import { ModelFailure } from './model-failure.ts'

/** Bytes of one event around its token: id, model, time and the like, which every event repeats. */
const BYTES_PER_TOKEN = 2_000
/** Bytes beside the tokens: arguments of calls, thinking, comments that keep a connection alive. */
const BYTES_BESIDE = 16_000_000

export type Fetch = (url: Parameters<typeof fetch>[0], init?: RequestInit) => Promise<Response>

/**
 * Fetches an answer of a model, and no more of it than an answer can have: one that does not end, in an error's text
 * too, would be gathered by the library until there is no memory left.
 */
export function modelFetch({
  apiKey,
  outputTokens
}: {
  readonly apiKey: string
  readonly outputTokens: number
}): Fetch {
  const limit = outputTokens * BYTES_PER_TOKEN + BYTES_BESIDE
  return async (url, init) => {
    const headers = new Headers(init?.headers)
    // Some servers refuse any key that they do not know.
    if (apiKey === '') headers.delete('authorization')
    const response = await fetch(url, { ...init, headers })
    if (response.body === null) return response
    return new Response(response.body.pipeThrough(upTo(limit)), response)
  }
}

/** @throws ModelFailure length, to the reader, behind the limit */
function upTo(bytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let read = 0
  return new TransformStream({
    transform: (piece, controller) => {
      read += piece.byteLength
      if (read > bytes) controller.error(new ModelFailure('length'))
      else controller.enqueue(piece)
    }
  })
}
