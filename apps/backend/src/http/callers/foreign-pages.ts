import { AppError } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'
import { hostNameOf, isLoopbackName, isLoopbackPeer } from './local-callers.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * For callers without credentials: on this machine the server is known by a loopback name or by its public origin, and
 * only pages under those names may ask. A page that has pointed its own name here (DNS rebinding) is refused.
 * @throws AppError AUTH_FORBIDDEN
 */
export function refuseForeignNames(request: FastifyRequest, publicOrigin: string): void {
  if (!isLoopbackPeer(request)) return
  const { host, origin } = request.headers
  const known = (name: string) => isLoopbackName(name) || (name !== '' && name === hostNameOf(publicOrigin))
  if (!known(hostNameOf(`http://${host ?? ''}`))) throw foreign('host header', host)
  if (origin !== undefined && !known(hostNameOf(origin))) throw foreign('origin header', origin)
}

/**
 * For requests that change something and that a browser may have sent with a cookie of its own accord: the page that
 * sent it must be ours. Tools send no Origin, and no cookie either that another page could have made them send.
 * @throws AppError AUTH_FORBIDDEN
 */
export function refuseForeignPages(request: FastifyRequest, publicOrigin: string): void {
  if (SAFE_METHODS.has(request.method)) return
  const { host = '', origin, 'sec-fetch-site': site } = request.headers
  if (site === 'cross-site') throw foreign('sec-fetch-site header', site)
  if (origin === undefined || isSameOrigin(origin, publicOrigin)) return
  // What stands before us may have ended TLS, so the scheme is the page's to tell.
  const scheme = origin.startsWith('https:') ? 'https' : 'http'
  if (!isSameOrigin(origin, `${scheme}://${host}`)) throw foreign('origin header', origin)
}

function isSameOrigin(one: string, other: string): boolean {
  return hostNameOf(one) !== '' && hostNameOf(other) !== '' && new URL(one).origin === new URL(other).origin
}

function foreign(what: string, value: string | undefined): AppError {
  return new AppError('AUTH_FORBIDDEN', {
    operation: 'admit caller',
    subject: `${what} ${value ?? '(none)'}`,
    message: 'This server answers under its own name only, and only its own pages may ask it.',
    hint: 'Behind a proxy, set server.publicOrigin to the origin that browsers see.'
  })
}
