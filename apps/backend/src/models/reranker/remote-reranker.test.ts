import type { RerankRequest } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Behaviour,
  json,
  type ModelServer,
  raw,
  stall,
  startModelServer,
  status
} from '../test-material/model-server.ts'
import { PEERS_ABSENT_REASON, PEERS_PRESENT, readPeerCases } from '../test-material/peer-cases.ts'
import { everythingIn, outcomeOf, portErrorOf, remoteFailureOf } from '../test-material/rejection.ts'
import { createDashScopeReranker } from './dashscope-reranker.ts'
import { createJinaReranker } from './jina-reranker.ts'
import type { RemoteReranker } from './remote-reranker.ts'

const KEY = 'sk-rerank-secret-42'
const RESULTS = [
  { index: 1, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.1 }
]
const SCORES = RESULTS.map(({ index, relevance_score: score }) => ({ index, score }))

let server: ModelServer
beforeEach(async () => void (server = await startModelServer(json({ results: RESULTS, output: { results: RESULTS } }))))
afterEach(() => server.close())

/** The two protocols, and how each wraps the same results. */
const protocols = [
  { name: 'jina', create: createJinaReranker, wrap: (answer: unknown) => answer },
  { name: 'dashscope', create: createDashScopeReranker, wrap: (answer: unknown) => ({ output: answer }) }
] as const

function options(model = 'a-reranker', timeoutMs = 10_000) {
  return { baseUrl: `${server.origin}/rerank`, model, apiKey: KEY, timeoutMs }
}

function request(count = 2, topN = 2): RerankRequest {
  return {
    query: '连接重置',
    queryEmbedding: { vector: new Float32Array(0), tokenCount: 0 },
    candidates: Array.from({ length: count }, (_, i) => ({
      chunkId: `d#${i}`,
      title: '网关手册',
      headingPath: ['排查', `第 ${i} 步`],
      content: `内容 ${i}`,
      tokenCount: 3,
      metadata: {}
    })),
    topN
  }
}

const DOCUMENTS = ['网关手册\n排查 > 第 0 步\n内容 0', '网关手册\n排查 > 第 1 步\n内容 1']

describe('a request', () => {
  it('is what Jina and Cohere take: the searched text of each candidate', async () => {
    await createJinaReranker(options()).rerank(request())
    expect(server.arrivals).toMatchObject([{ path: '/rerank', headers: { authorization: `Bearer ${KEY}` } }])
    expect(server.arrivals[0]!.body).toEqual({
      model: 'a-reranker',
      query: '连接重置',
      documents: DOCUMENTS,
      top_n: 2,
      return_documents: false
    })
  })

  it.for([
    ['gte-rerank-v2', DOCUMENTS],
    ['qwen3-rerank', DOCUMENTS],
    ['qwen3-vl-rerank', DOCUMENTS.map((text) => ({ text }))]
  ] as const)('is what DashScope’s %s takes', async ([model, documents]) => {
    await createDashScopeReranker(options(model)).rerank(request())
    expect(server.arrivals[0]!.body).toEqual({
      model,
      input: { query: '连接重置', documents },
      parameters: { top_n: 2, return_documents: false }
    })
  })

  it('asks for no more than there is, and not at all where there is nothing', async () => {
    const reranker = createJinaReranker(options())
    expect(await reranker.rerank(request(0, 5))).toEqual([])
    expect(await reranker.rerank(request(2, 0))).toEqual([])
    expect(server.arrivals).toHaveLength(0)
    server.script(json({ results: [{ index: 0, relevance_score: 0.3 }] }))
    expect(await reranker.rerank(request(1, 5))).toEqual([{ index: 0, score: 0.3 }])
    expect(server.arrivals[0]!.body.top_n).toBe(1)
  })
})

describe.for(protocols)('an answer by the protocol of $name', ({ create, wrap }) => {
  let reranker: RemoteReranker
  beforeEach(() => void (reranker = create(options())))
  afterEach(() => reranker.close())

  it('is given best first, however the server sorts it, and equal scores in the order of the candidates', async () => {
    const scores = [0.5, 0.7, 0.5, 1].map((relevance_score, index) => ({ index, relevance_score }))
    server.script(json(wrap({ results: scores.toReversed() })))
    expect(await reranker.rerank(request(4, 4))).toEqual([
      { index: 3, score: 1 },
      { index: 1, score: 0.7 },
      { index: 0, score: 0.5 },
      { index: 2, score: 0.5 }
    ])
    expect(reranker.state).toBe('warm')
  })

  it.for<readonly [string, unknown]>([
    ['more scores than asked for', [...RESULTS, { index: 2, relevance_score: 0.1 }]],
    ['an index that is no whole number', [RESULTS[0], { index: 0.5, relevance_score: 0.1 }]],
    ['no score', [RESULTS[0], { index: 0 }]],
    ['nothing in place of a result', [RESULTS[0], null]],
    ['an object in place of the list', { 0: RESULTS[0], 1: RESULTS[1], length: 2 }],
    ['a negative score', [RESULTS[0], { index: 0, relevance_score: -0.1 }]]
  ])('with %s is refused', async ([, results]) => {
    server.script(json(wrap({ results })))
    expect((await portErrorOf(reranker.rerank(request(3, 2)))).failure).toBe('unavailable')
    expect(reranker.state).toBe('failed')
  })

  it.for([null, 4.375, 'text', [], {}, { output: null }, { results: null }])(
    'that is %j is refused',
    async (answer) => {
      server.script(json(answer))
      const error = await portErrorOf(reranker.rerank(request()))
      expect(error.message).toBe('rerank: the answer cannot be used: it has no list of scores (a-reranker)')
    }
  )
})

/** What must come of each entry of the collected faults, for two candidates of which the best two are asked for. */
const peerCases: Readonly<Record<string, unknown>> = {
  ok: SCORES,
  index_out_of_range: expect.stringMatching(/1 scores where 2/),
  negative_index: expect.stringMatching(/1 scores where 2/),
  duplicate_index: expect.stringMatching(/repeats a candidate at position 1/),
  short: expect.stringMatching(/1 scores where 2/),
  empty: expect.stringMatching(/0 scores where 2/),
  score_null: expect.stringMatching(/1 scores where 2/),
  score_string: expect.stringMatching(/1 scores where 2/),
  score_logit_above_1: expect.stringMatching(/no score from 0 to 1 at position 0/),
  bare_float: expect.stringMatching(/no list of scores/),
  html_200: expect.stringMatching(/not JSON/),
  raw_NaN_text: expect.stringMatching(/not JSON/)
}
/** The same entries where their one result is all that was asked for. */
const peerCasesOfOne: Readonly<Record<string, RegExp>> = {
  index_out_of_range: /names no candidate at position 0/,
  negative_index: /names no candidate at position 0/,
  score_null: /no score from 0 to 1 at position 0/,
  score_string: /no score from 0 to 1 at position 0/
}

describe.skipIf(!PEERS_PRESENT)(`faults that users of other products met (else: ${PEERS_ABSENT_REASON})`, () => {
  const entries = Object.entries(readPeerCases('stub_rerank_bad.json'))

  it('are all known here', () => {
    expect(entries.map(([name]) => name).toSorted()).toEqual(Object.keys(peerCases).toSorted())
  })

  for (const { name, create, wrap } of protocols) {
    it.for(entries)(`%s, by the protocol of ${name}`, async ([fault, entry]) => {
      const serve = (): Behaviour => (typeof entry === 'string' ? raw(entry, 'text/html') : json(wrap(entry)))
      const reranker = create(options())
      server.script(serve())
      expect(await outcomeOf(reranker.rerank(request()))).toEqual(peerCases[fault])
    })

    it.for(Object.entries(peerCasesOfOne))(`%s alone, by the protocol of ${name}`, async ([fault, expected]) => {
      server.script(json(wrap(Object.fromEntries(entries)[fault])))
      expect((await portErrorOf(create(options()).rerank(request(2, 1)))).message).toMatch(expected)
    })
  }
})

describe('the reranker', () => {
  it('tries again while the server is busy', async () => {
    server.script(status(429, { headers: { 'retry-after': '0' } }), status(502))
    expect(await createJinaReranker(options()).rerank(request())).toHaveLength(2)
    expect(server.arrivals).toHaveLength(3)
  })

  it('tells the code of DashScope in the cause, and neither its words nor the key', async () => {
    const body = JSON.stringify({ code: 'InvalidApiKey', message: `Invalid key ${KEY} hunter2`, request_id: 'r' })
    server.script(status(401, { body }))
    const error = await portErrorOf(createDashScopeReranker(options()).rerank(request()))
    expect(remoteFailureOf(error)).toMatchObject({ status: 401, code: 'InvalidApiKey', kind: 'unauthorised' })
    expect(everythingIn(error)).not.toMatch(/hunter2|sk-rerank/)
  })

  it('ends its request at the server when the caller leaves', async () => {
    server.script(stall)
    const signal = AbortSignal.timeout(150)
    await expect(createJinaReranker(options()).rerank(request(), signal)).rejects.toMatchObject({
      name: 'TimeoutError'
    })
    await server.arrivals[0]!.hungUp
  })

  it('is warmed by one pair, once, and ends with `close`', async () => {
    server.script(json({ results: [{ index: 0, relevance_score: 1 }] }))
    const reranker = createJinaReranker(options())
    expect(reranker).toMatchObject({ state: 'cold', name: 'jina/a-reranker' })
    await Promise.all([reranker.warm(), reranker.warm()])
    await reranker.warm()
    expect(reranker.state).toBe('warm')
    expect(server.arrivals).toHaveLength(1)
    await reranker.close()
    expect((await portErrorOf(reranker.rerank(request()))).failure).toBe('closed')
    expect(reranker.state).toBe('closed')
  })
})
