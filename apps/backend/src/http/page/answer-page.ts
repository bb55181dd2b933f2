import type { FastifyReply, FastifyRequest } from 'fastify'
import { tagged } from '../downloads/entity-tag.ts'
import type { Page, PageFile } from './load-page.ts'

/** Addresses of programs: what is not there is told as JSON, never as a page. */
const PROGRAMS = /^\/(api|mcp)(\/|$)/

/** Places of the page have no name with a dot; what is asked for by one is a file, and is there or not. */
const FILE = /\.[^/]*$/

/** Everything from here; styles also inline, for the page sets widths of bars and marks. Nobody may frame it. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join('; ')

/** Headers of every answer that a browser shows as a page. */
export function pageHeaders(policy = POLICY): Readonly<Record<string, string>> {
  return { 'content-security-policy': policy, 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' }
}

/**
 * Answers an address that no route has with a file of the page; with the page itself when a browser goes there, for
 * the page has addresses of its own. Undefined when it is not there either.
 */
export function answerPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const address = addressOf(request.url)
  if (address === undefined || PROGRAMS.test(address)) return undefined
  const isPlace = address === '/' || (isNavigation(request) && !FILE.test(address))
  const file = page.get(address) ?? (isPlace ? page.get('/index.html') : undefined)
  return file && sendFile(file, request, reply)
}

function sendFile(file: PageFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers } = tagged(request, file.tag)
  const lasting = file.immutable ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}
  reply.code(status ?? 200).headers({ ...pageHeaders(), ...headers, ...lasting })
  if (status === 304) return reply.send()
  reply.headers({ 'content-type': file.type, 'content-length': String(file.bytes.length) })
  return reply.send(request.method === 'HEAD' ? undefined : file.bytes)
}

/** Undefined when it can not be decoded. */
function addressOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?', 1)[0] ?? '')
  } catch {
    return undefined
  }
}

function isNavigation({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').includes('text/html')
}
