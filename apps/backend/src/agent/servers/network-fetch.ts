import { lookup as systemLookup } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { forbiddenAddress, isForbiddenAddress } from './forbidden-address.ts'

/** What the connection itself decides; a server's own headers do not. */
const OF_THE_CONNECTION = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
]
const WITHOUT_BODY = new Set([204, 205, 304])

export interface NetworkFetchOptions {
  readonly lookup?: LookupFunction
  readonly isForbidden?: (address: string) => boolean
}

/**
 * `fetch` for the servers of people who are no administrators: it reaches the network and not this machine. The very
 * addresses that were looked at are connected to, so a name that has another one a moment later gains nothing; each
 * request has a connection of its own, for one that is kept was perhaps opened by somebody who may do more. No proxy is
 * asked, which would look names up by itself. Redirects are not followed.
 * @throws AppError AUTH_FORBIDDEN; what the connection throws
 */
export function networkFetch({
  lookup = systemLookup as LookupFunction,
  isForbidden = isForbiddenAddress
}: NetworkFetchOptions = {}): FetchLike {
  const checkedLookup: LookupFunction = (name, options, found) => {
    lookup(name, { ...options, all: true }, (failure, answer) => {
      const addresses = typeof answer === 'string' ? [] : (answer ?? [])
      const [first] = addresses
      if (failure !== null) return found(failure, [])
      // One bad one among good ones is no accident.
      if (first === undefined || addresses.some(({ address }) => isForbidden(address)))
        return found(forbiddenAddress(name) as never, [])
      if (options.all === true) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }
  return (input, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(input)
      // What is an address already is never looked up.
      const host = url.hostname.replaceAll(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && isForbidden(host)) return reject(forbiddenAddress(url.host))
      const sent = new Headers(headers)
      for (const name of OF_THE_CONNECTION) sent.delete(name)
      const { request } = url.protocol === 'https:' ? https : http
      const options = { method, headers: Object.fromEntries(sent), agent: false, lookup: checkedLookup } as const
      const asked = request(url, signal ? { ...options, signal } : options, (incoming) => resolve(responseOf(incoming)))
      asked.on('error', reject)
      asked.end(body ?? undefined)
    })
}

function responseOf(incoming: http.IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = incoming
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  if (WITHOUT_BODY.has(status)) {
    incoming.resume()
    return new Response(null, { status, headers })
  }
  const body = Readable.toWeb(incoming) as WebStream<Uint8Array> as ReadableStream<Uint8Array>
  return new Response(body, { status, statusText, headers })
}
