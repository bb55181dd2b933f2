import type { FastifyRequest } from 'fastify'
import { isLoopbackPeer } from './local-callers.ts'

/** Longer ones are no address. */
const ADDRESS_LIMIT = 64

/**
 * Where a request comes from, for limits. A proxy on this machine tells whom it speaks for at the end of
 * `x-forwarded-for`; from anywhere else that header is only what the caller likes to write.
 */
export function callerAddress(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress ?? ''
  const forwarded = [request.headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim() ?? ''
  return forwarded !== '' && forwarded.length <= ADDRESS_LIMIT && isLoopbackPeer(request) ? forwarded : peer
}
