import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Models behind an address, as quick as no real one is, and always of one mind. */
export interface ModelStub {
  /** Settings of a process that uses it for vectors and for order. */
  readonly environment: Readonly<Record<string, string>>
  /** Texts that were embedded so far, questions too. */
  readonly embedded: () => number
  /** What becomes of requests for vectors from now on; undefined answers them again. */
  misbehave(fault: Fault | undefined): void
  close(): Promise<void>
}

export interface Fault {
  /** Requests that hold one of these texts meet it, all when absent. */
  readonly holding?: string
  /** Answered instead of vectors. */
  readonly status?: number
  /** Milliseconds before the answer. */
  readonly waitMs?: number
}

export interface ModelStubOptions {
  readonly dimension?: number
  readonly model?: string
}

/** Speaks OpenAI's protocol of embeddings and Jina's of reranking; equal texts have equal vectors, in every process. */
export async function startModelStub({ dimension = 64, model = 'stub' }: ModelStubOptions = {}): Promise<ModelStub> {
  let fault: Fault | undefined
  let embedded = 0
  const embed = async (input: readonly string[], response: ServerResponse): Promise<void> => {
    const met = fault !== undefined && input.some((text) => text.includes(fault?.holding ?? '')) ? fault : {}
    if (met.waitMs !== undefined) await delay(met.waitMs)
    if (met.status !== undefined) return void response.writeHead(met.status).end('{"error":{"message":"no"}}')
    embedded += input.length
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text, dimension) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, model }))
  }
  const server = createServer(async (request, response) => {
    const body = (await readJson(request)) as { readonly input: readonly string[] } & RerankRequest
    if (request.url === '/v1/embeddings') await embed(body.input, response)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ordered(body)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    environment: {
      KB_EMBEDDING__PROVIDER: 'openai',
      KB_EMBEDDING__BASE_URL: `${origin}/v1`,
      KB_EMBEDDING__MODEL: model,
      KB_EMBEDDING__DIMENSION: String(dimension),
      KB_RERANK__PROVIDER: 'jina',
      KB_RERANK__BASE_URL: `${origin}/v1/rerank`,
      KB_RERANK__MODEL: model
    },
    embedded: () => embedded,
    misbehave: (next) => void (fault = next),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

interface RerankRequest {
  readonly query: string
  readonly documents: readonly string[]
  readonly top_n: number
}

/** The share of a question's tokens that a document has. */
function ordered({ query, documents, top_n: most }: RerankRequest): object {
  const wanted = [...new Set(tokensOf(query))]
  const results = documents.map((text, index) => {
    const held = new Set(tokensOf(text))
    return { index, relevance_score: wanted.filter((each) => held.has(each)).length / Math.max(1, wanted.length) }
  })
  return { results: results.toSorted((left, right) => right.relevance_score - left.relevance_score).slice(0, most) }
}

/** Each token adds to two places: texts that share tokens are near each other. */
function vectorOf(text: string, dimension: number): number[] {
  const vector = Array.from({ length: dimension }, () => 0)
  vector[0] = 0.01
  for (const token of tokensOf(text)) {
    const hash = hashOf(token)
    vector[hash % dimension]! += 1
    vector[(hash >>> 8) % dimension]! -= 0.5
  }
  return vector
}

function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_-]+/gu) ?? []
}

/** FNV-1a, 32 bits. */
function hashOf(token: string): number {
  let hash = 0x81_1c_9d_c5
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01_00_01_93)
  return hash >>> 0
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts = (await request.toArray()) as Buffer[]
  return JSON.parse(Buffer.concat(parts).toString() || '{}')
}
