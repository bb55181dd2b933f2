import { BlockList, isIP, isIPv4 } from 'node:net'
import { AppError } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * There are no accounts yet: whoever reaches the server is the local tenant, so only this machine may reach it.
 * The peer must be a loopback address. Host and Origin must name one too: a page of another site that has pointed
 * its own name at 127.0.0.1 (DNS rebinding) comes from a loopback peer, but with its own name in these headers.
 * @throws AppError AUTH_FORBIDDEN
 */
export function refuseForeignCallers(request: FastifyRequest): void {
  const { host, origin } = request.headers
  if (!isLoopbackAddress(request.socket.remoteAddress ?? '')) throw foreign('peer', request.socket.remoteAddress)
  if (!isLoopbackName(nameOf(`http://${host ?? ''}`))) throw foreign('host header', host)
  if (origin !== undefined && !isLoopbackName(nameOf(origin))) throw foreign('origin header', origin)
}

function foreign(what: string, value: string | undefined): AppError {
  return new AppError('AUTH_FORBIDDEN', {
    operation: 'admit caller',
    subject: `${what} ${value ?? '(none)'}`,
    message: 'This server answers only callers on its own machine, under the name of that machine.'
  })
}

function isLoopbackAddress(address: string): boolean {
  // A socket that takes both families tells IPv4 peers as ::ffff:127.0.0.1.
  const plain = address.replace(/^::ffff:/i, '')
  return isIP(plain) !== 0 && loopback.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || isLoopbackAddress(name.replaceAll(/^\[|\]$/g, ''))
}

/** The host name of an origin; empty when it is none ("null", "file://", user information, a path). */
function nameOf(origin: string): string {
  if (!URL.canParse(origin)) return ''
  const { protocol, hostname, username, pathname } = new URL(origin)
  return /^https?:$/.test(protocol) && username === '' && pathname === '/' ? hostname : ''
}
