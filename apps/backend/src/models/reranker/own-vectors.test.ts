import { createBundledEmbedder, createBundledReranker } from '@oncall-agent/bundled-models'
import type { Embedder, RerankRequest } from '@oncall-agent/retrieval'
import { afterAll, expect, it } from 'vitest'
import { withOwnVectors } from './own-vectors.ts'

const embedder = createBundledEmbedder({ tokenVectors: true })
const bundled = createBundledReranker({ tokenVectors: true })
afterAll(() => Promise.all([embedder.close(), bundled.close()]))

let embedded = 0
const counting: Pick<Embedder, 'embedQuery' | 'embedPassages'> = {
  embedQuery: (text, signal) => embedder.embedQuery(text, signal),
  embedPassages: (texts, signal) => {
    embedded += texts.length
    return embedder.embedPassages(texts, signal)
  }
}

const contents = [
  'etcdctl defrag 之后解除 NOSPACE 告警。',
  'Renew the certificate of the gateway.',
  '清理 /var/log 下的旧日志。'
]
const request: RerankRequest = {
  query: 'etcd 磁盘空间满了怎么办',
  // Of another model: of no use to this reranker, and never looked at.
  queryEmbedding: { vector: Float32Array.of(1, 0, 0), tokenCount: 3 },
  candidates: contents.map((content, index) => ({
    chunkId: `d#000${index}`,
    title: 'Runbook',
    headingPath: [],
    content,
    tokenCount: 10,
    metadata: {}
  })),
  topN: 3,
  statistics: async (terms) => ({ chunks: 3, averageLength: 12, frequency: terms.map(() => 1) })
}

it('scores as it does with the vectors of its own index, and embeds no text twice', async () => {
  const own = withOwnVectors(bundled, counting)
  expect(own.needs).toEqual({ vectors: false, tokenVectors: false, statistics: true })
  const first = await own.rerank(request)
  expect(first[0]).toMatchObject({ index: 0 })
  expect(await own.rerank({ ...request, topN: 1 })).toEqual(first.slice(0, 1))
  expect(embedded).toBe(contents.length)

  const vectors = await embedder.embedPassages(contents.map((content) => `Runbook\n${content}`))
  const direct = await bundled.rerank({
    ...request,
    queryEmbedding: await embedder.embedQuery(request.query),
    candidates: request.candidates.map((candidate, index) => ({ ...candidate, ...vectors[index]! }))
  })
  expect(first).toEqual(direct)
})

it('asks no model for no candidates, and ends at once when it was aborted', async () => {
  const own = withOwnVectors(bundled, counting)
  const before = embedded
  expect(await own.rerank({ ...request, candidates: [] })).toEqual([])
  const reason = new Error('gone')
  await expect(own.rerank(request, AbortSignal.abort(reason))).rejects.toBe(reason)
  expect(embedded).toBe(before)
})
