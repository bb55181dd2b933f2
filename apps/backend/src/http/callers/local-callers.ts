import { BlockList, isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** What proxies add: with one of these the peer is not the caller. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-real-ip'] as const

/** Whether the socket ends on this machine; a proxy may still stand there for somebody else. */
export function isLoopbackPeer(request: FastifyRequest): boolean {
  return isLoopbackAddress(request.socket.remoteAddress ?? '')
}

/**
 * Whether the caller itself is on this machine. Host and Origin must say so too: a page of another site that has
 * pointed its own name at 127.0.0.1 (DNS rebinding) comes from a loopback peer, but with its own name in these headers.
 */
export function isLocalCaller(request: FastifyRequest): boolean {
  const { host, origin } = request.headers
  return (
    isLoopbackPeer(request) &&
    FORWARDING.every((header) => request.headers[header] === undefined) &&
    isLoopbackName(hostNameOf(`http://${host ?? ''}`)) &&
    (origin === undefined || isLoopbackName(hostNameOf(origin)))
  )
}

export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || isLoopbackAddress(name.replaceAll(/^\[|\]$/g, ''))
}

/** The host name of an origin; empty when it is none ("null", "file://", user information, a path). */
export function hostNameOf(origin: string): string {
  if (!URL.canParse(origin)) return ''
  const { protocol, hostname, username, pathname } = new URL(origin)
  return /^https?:$/.test(protocol) && username === '' && pathname === '/' ? hostname : ''
}

function isLoopbackAddress(address: string): boolean {
  // A socket that takes both families tells IPv4 peers as ::ffff:127.0.0.1.
  const plain = address.replace(/^::ffff:/i, '')
  return isIP(plain) !== 0 && loopback.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}
