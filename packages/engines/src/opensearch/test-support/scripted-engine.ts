import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came over the wire. */
export interface Recorded {
  /** Method and path, `POST /kb_alarm_v1/_search` say. */
  readonly call: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** The body, or the lines of a bulk body. */
  readonly body: unknown
}

/** Answers one request; `undefined` leaves it to the next one. */
export type Answering = (request: Recorded, response: ServerResponse) => unknown

/** A server that is no engine: it records what it is asked, and says what a test tells it to. */
export interface ScriptedEngine {
  readonly url: string
  readonly requests: readonly Recorded[]
  /** The latest goes first. What none of them answers, an idle engine with our indices does. */
  readonly answer: (answering: Answering) => void
  readonly close: () => Promise<void>
}

export async function scriptedEngine(idle: Answering): Promise<ScriptedEngine> {
  const requests: Recorded[] = []
  const answerings: Answering[] = [idle]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url!, 'http://engine')
      const recorded: Recorded = {
        call: `${request.method} ${decodeURIComponent(url.pathname)}`,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: bodyOf(Buffer.concat(chunks).toString())
      }
      requests.push(recorded)
      for (const answering of answerings) {
        const body = answering(recorded, response)
        if (body === undefined) continue
        if (body !== ANSWERED) reply(response, 200, body)
        return
      }
      reply(response, 404, { error: { type: 'no_such_script', reason: recorded.call }, status: 404 })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (answering) => void answerings.unshift(answering),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

/** Given back by whoever has answered itself. */
export const ANSWERED = Symbol('answered')

export function reply(response: ServerResponse, status: number, body: unknown): typeof ANSWERED {
  response.writeHead(status, { 'content-type': 'application/json', ...PRODUCT_HEADER })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
  return ANSWERED
}

const PRODUCT_HEADER = { 'x-elastic-product': 'Elasticsearch' }

function bodyOf(text: string): unknown {
  const lines = text.split('\n').filter((line) => line !== '')
  if (lines.length === 0) return undefined
  const parsed = lines.map((line) => JSON.parse(line) as unknown)
  return parsed.length === 1 ? parsed[0] : parsed
}
