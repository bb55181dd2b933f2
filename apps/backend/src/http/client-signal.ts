import type { FastifyReply } from 'fastify'

/** A signal that is aborted when the client goes before it has its whole answer. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort(new DOMException('The client has gone.', 'AbortError'))
  if (reply.raw.destroyed) abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort()
  })
  return gone.signal
}
