import { embedderConformance, rerankerConformance, type RerankerHarness } from '@oncall-agent/retrieval/conformance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDashScopeReranker, createJinaReranker, createOpenAiEmbedder, type RemoteReranker } from './index.ts'
import { embeddings, json, type ModelServer, overlapResults, startModelServer } from './test-material/model-server.ts'

const test = { describe, it, expect }
const DIMENSION = 24
const servers: ModelServer[] = []

/** The server reads fewer words than the embedder believes: what is cut must be cut twice. */
let embedding: ModelServer
let jina: ModelServer
let dashScope: ModelServer

beforeAll(async () => {
  embedding = await startModelServer(embeddings(DIMENSION, { maxWords: 20 }))
  jina = await startModelServer((exchange) => {
    const { query, documents, top_n: topN } = exchange.body as { query: string; documents: string[]; top_n: number }
    json({ results: overlapResults(query, documents, topN) })(exchange)
  })
  dashScope = await startModelServer((exchange) => {
    const { input, parameters } = exchange.body as {
      input: { query: string; documents: unknown[] }
      parameters: { top_n: number }
    }
    json({ output: { results: overlapResults(input.query, input.documents, parameters.top_n) } })(exchange)
  })
  servers.push(embedding, jina, dashScope)
})
afterAll(() => Promise.all(servers.map((server) => server.close())))

const options = { model: 'a-model', apiKey: 'a-key', timeoutMs: 10_000 }

describe('behind OpenAI’s protocol', () => {
  embedderConformance(test, async () =>
    createOpenAiEmbedder({
      ...options,
      baseUrl: `${embedding.origin}/v1`,
      dimension: DIMENSION,
      maxTokens: 64,
      batchSize: 4
    })
  )
})

describe('behind Jina’s protocol', () => {
  rerankerConformance(test, async () =>
    harness(createJinaReranker({ ...options, baseUrl: `${jina.origin}/v1/rerank` }))
  )
})

describe.for(['qwen3-vl-rerank', 'gte-rerank-v2'])('behind DashScope’s protocol, model %s', (model) => {
  rerankerConformance(test, async () =>
    harness(createDashScopeReranker({ ...options, model, baseUrl: `${dashScope.origin}/api/v1/rerank` }))
  )
})

function harness(reranker: RemoteReranker): RerankerHarness {
  return {
    reranker,
    prepare: async (query, contents, topN) => ({
      query,
      queryEmbedding: { vector: new Float32Array(0), tokenCount: 0 },
      candidates: contents.map((content, i) => ({
        chunkId: `d#${i}`,
        title: '网关手册',
        headingPath: ['排查'],
        content,
        tokenCount: 0,
        metadata: {}
      })),
      topN
    }),
    close: () => reranker.close()
  }
}
