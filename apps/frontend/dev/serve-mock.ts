import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { answerMock } from './mock-api.ts'
import type { MockState } from './mock-state.ts'

const dist = join(import.meta.dirname, '../dist')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml'
}

/** As strict as the real server's: what it would forbid is seen here first. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'"

/** The mock and the built page on one port of this machine; 0 picks a free one. */
export async function serveMock(state: MockState, port: number): Promise<Server> {
  const server = createServer((incoming, response) => void reply(state, incoming, response))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return server
}

async function reply(state: MockState, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const found = await answer(state, incoming)
  response.writeHead(found.status, Object.fromEntries(found.headers))
  if (found.body === null) return void response.end()
  // Piece by piece, so that events of a stream come when they happen.
  for await (const piece of found.body) {
    if (response.destroyed) return
    response.write(piece)
  }
  response.end()
}

async function answer(state: MockState, incoming: IncomingMessage): Promise<Response> {
  const bytes = Buffer.concat(await incoming.toArray())
  const headers = new Headers(incoming.headers as Record<string, string>)
  const body = bytes.length === 0 ? null : bytes
  const request = new Request(`http://127.0.0.1${incoming.url}`, { method: incoming.method ?? 'GET', headers, body })
  return (await answerMock(state, request)) ?? (await pageFile(new URL(request.url).pathname))
}

/** A file of the build, or the page itself for an address of its own. */
async function pageFile(path: string): Promise<Response> {
  const name = extname(path) === '' ? '/index.html' : normalize(path)
  const bytes = await readFile(join(dist, name)).catch(() => null)
  if (bytes === null) return new Response('not found', { status: 404 })
  const type = types[extname(name)] ?? 'application/octet-stream'
  return new Response(bytes, { headers: { 'content-type': type, 'content-security-policy': POLICY } })
}
