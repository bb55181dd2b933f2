import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSmallIndex, type SmallIndex } from '../test-material/small-index.ts'
import type { Caller } from '../caller.ts'
import type { FinishedRun } from './record-run.ts'
import { retrieveEvidence } from './retrieve-evidence.ts'

const runbooks = { tenantId: 'ada', knowledgeBaseId: 'runbooks' }
const notes = { tenantId: 'ada', knowledgeBaseId: 'notes' }
const foreign = { tenantId: 'eve', knowledgeBaseId: 'secret' }
const ada: Caller = { tenantId: 'ada', userId: 'ada', readable: [runbooks, notes] }

let small: SmallIndex
let stored: FinishedRun[]

beforeAll(async () => {
  small = await openSmallIndex()
  const documents = [
    {
      ...runbooks,
      documentId: 'etcd',
      title: 'etcd 磁盘空间满',
      contents: ['etcdctl defrag 之后 etcdctl alarm disarm 解除 NOSPACE 告警。'],
      metadata: { owner: 'db', tier: 1 }
    },
    {
      ...runbooks,
      documentId: 'gateway',
      title: 'Gateway errors',
      contents: [
        'E_CONN_RESET: the upstream closed a kept-alive connection; restart it.',
        'E_TLS_EXPIRED: renew the certificate.'
      ]
    },
    {
      ...notes,
      documentId: 'note',
      title: 'Redis',
      contents: ['used_memory_rss 持续升高时检查碎片率。'],
      metadata: { owner: 'db', tier: '1' }
    },
    {
      ...foreign,
      documentId: 'secret',
      title: 'E_CONN_RESET',
      contents: ['E_CONN_RESET E_CONN_RESET the other tenant keeps this to itself']
    }
  ]
  for (const document of documents) await small.publish(document)
})

afterAll(() => small.close())

beforeEach(() => {
  stored = []
})

const room = () => ({
  parts: small.parts,
  log: { store: async (run: FinishedRun) => void stored.push(run), onUnrecorded: () => undefined }
})
const ask = (request: unknown, caller = ada) => retrieveEvidence(request, caller, room())

const ids = async (filters: object) =>
  (await ask({ query: 'etcd 告警 redis', filters })).results.map((hit) => hit.documentId)
const untouchable = () => Promise.reject(new Error('touched'))

const deletedAmong = async (documentIds: readonly string[]) =>
  new Set(documentIds.filter((documentId) => documentId === 'gateway'))

describe('a document that the facts call deleted', () => {
  it('is not found while the index still has it, and the others move up', async () => {
    const parts = { ...small.parts, deletedAmong }
    const answer = await retrieveEvidence({ query: 'E_CONN_RESET etcd 告警' }, ada, { ...room(), parts })
    expect(answer.results.map((hit) => hit.documentId)).toEqual(expect.arrayContaining(['etcd', 'note']))
    expect(answer.results.map((hit) => hit.documentId)).not.toContain('gateway')
    expect(Math.min(...answer.results.map((hit) => hit.bm25Rank ?? 9))).toBe(1)
  })

  it('is not found for lack of an answer: facts that can not be asked fail the call', async () => {
    const parts = { ...small.parts, deletedAmong: untouchable }
    await expect(retrieveEvidence({ query: 'etcd' }, ada, { ...room(), parts })).rejects.toMatchObject({
      code: 'SYSTEM_UNAVAILABLE'
    })
  })
})

describe('an answer', () => {
  it('holds hits and citations one to one, with every stage told in order', async () => {
    const answer = await ask({ query: 'E_CONN_RESET 怎么恢复' })
    expect(answer.results[0]).toMatchObject({
      chunkId: 'gateway#0000',
      documentId: 'gateway',
      bm25Rank: 1,
      rerankRank: 1
    })
    expect(answer.citations.map(({ id }) => id)).toEqual(answer.results.map(({ chunkId }) => chunkId))
    expect(answer.citations[0]).toMatchObject({ title: 'gateway.md', sourceType: 'knowledge-base', start: 0 })
    expect(answer.stages.map(({ name, status }) => [name, status])).toEqual(
      ['embed', 'vector', 'lexical', 'fuse', 'rerank'].map((name) => [name, 'ok'])
    )
  })

  it('leaves rank and score null, not 0, where a stage did not return the chunk', async () => {
    const { results } = await ask({ query: '证书过期' })
    const unworded = results.find((hit) => hit.bm25Rank === null)
    expect(unworded).toMatchObject({ bm25Rank: null, bm25Score: null })
    expect(unworded!.vectorScore).not.toBeNull()
  })

  it('sorts by the rerank score, in 0..1, ranks from 1', async () => {
    const { results } = await ask({ query: 'E_TLS_EXPIRED certificate' })
    expect(results.map((hit) => hit.rerankRank)).toEqual(results.map((_, index) => index + 1))
    expect(results).toHaveLength(4)
    expect(results.map((hit) => hit.score)).toEqual(results.map((hit) => hit.rerankScore))
    expect(results[0]!.score).toBeGreaterThan(results[1]!.score)
    expect(results.filter((hit) => !(hit.score >= 0 && hit.score <= 1))).toEqual([])
  })

  it.each([
    [undefined, 4],
    [1, 1],
    [50, 4]
  ])('for topK %s gives %i of the four readable chunks', async (topK, count) => {
    expect((await ask({ query: 'E_CONN_RESET', ...(topK ? { topK } : {}) })).results).toHaveLength(count)
  })

  it('is recorded whole: scope, models, index version, every candidate with its ranks', async () => {
    const answer = await ask({ query: 'E_CONN_RESET', topK: 1 })
    expect(stored).toHaveLength(1)
    expect(stored[0]).toMatchObject({ runId: answer.runId, tenantId: 'ada', outcome: 'ok', query: 'E_CONN_RESET' })
    const { record } = stored[0]!
    expect(record.scope.pairs).toEqual([runbooks, notes])
    expect(record.indexRevision.vector).toBe(record.indexRevision.lexical)
    expect(record.embedder).toEqual(small.parts.embedder.fingerprint)
    expect(record.results).toEqual(answer.results)
    expect(record.candidates).toHaveLength(4)
    expect(record.candidates.filter((candidate) => candidate.rerankRank !== null)).toHaveLength(1)
  })

  it('is given without a run id when the run can not be recorded', async () => {
    const failures: string[] = []
    const log = {
      store: () => Promise.reject(new Error('disk full')),
      onUnrecorded: (_runId: string, cause: unknown) => void failures.push(String(cause))
    }
    const answer = await retrieveEvidence({ query: 'E_CONN_RESET' }, ada, { parts: small.parts, log })
    expect(answer.runId).toBeNull()
    expect(answer.results.length).toBeGreaterThan(0)
    expect(failures).toEqual(['Error: disk full'])
  })
})

describe('scope', () => {
  it("never shows another tenant's text, and its text moves no score", async () => {
    const before = await ask({ query: 'E_CONN_RESET' })
    await small.publish({
      ...foreign,
      documentId: 'more',
      title: 'E_CONN_RESET',
      contents: Array.from({ length: 30 }, () => 'E_CONN_RESET')
    })
    const after = await ask({ query: 'E_CONN_RESET' })
    expect(after.results.map((hit) => hit.tenantId)).toEqual(Array.from({ length: 4 }, () => 'ada'))
    expect(after.results).toEqual(before.results)
  })

  it('narrows to the knowledge bases, documents and metadata asked for, with their types', async () => {
    expect(await ids({ knowledgeBaseIds: ['notes'] })).toEqual(['note'])
    expect(await ids({ documentIds: ['etcd', 'secret'] })).toEqual(['etcd'])
    expect(await ids({ metadata: { owner: 'db', tier: 1 } })).toEqual(['etcd'])
    expect(await ids({ metadata: { tier: '1' } })).toEqual(['note'])
    expect(await ids({ metadata: { tier: true } })).toEqual([])
  })

  it('beyond what one may read is forbidden before any model or index is touched, and names nothing', async () => {
    const parts = {
      ...small.parts,
      get embedder(): never {
        throw new Error('touched')
      }
    } as typeof small.parts
    const refused = retrieveEvidence({ query: 'x', filters: { knowledgeBaseIds: ['secret'] } }, ada, {
      ...room(),
      parts
    })
    await expect(refused).rejects.toMatchObject({
      code: 'AUTH_FORBIDDEN',
      message: expect.not.stringContaining('secret')
    })
  })

  it('of nothing is an empty success that touches neither model nor index', async () => {
    const embedder = { ...small.parts.embedder, fingerprint: small.parts.embedder.fingerprint, embedQuery: untouchable }
    const parts = { ...small.parts, embedder } as typeof small.parts
    const answer = await retrieveEvidence({ query: 'x' }, { ...ada, readable: [] }, { ...room(), parts })
    expect(answer).toMatchObject({ results: [], citations: [] })
    expect(answer.stages.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'skipped'))
  })

  it('without candidates is an empty success, and the reranker is not called', async () => {
    const reranker = {
      ...small.parts.reranker,
      name: 'untouchable',
      rerank: () => Promise.reject(new Error('touched'))
    }
    const parts = { ...small.parts, reranker } as typeof small.parts
    const answer = await retrieveEvidence({ query: 'x', filters: { documentIds: ['none'] } }, ada, { ...room(), parts })
    expect(answer.results).toEqual([])
    expect(answer.stages.map(({ status }) => status)).toEqual(['ok', 'empty', 'empty', 'empty', 'skipped'])
  })
})

describe('bad input names its field', () => {
  it.each([
    [{}, 'query'],
    [{ query: '  ' }, 'query'],
    [{ query: 'x'.repeat(4001) }, 'query'],
    [{ query: 'x', topK: 0 }, 'topK'],
    [{ query: 'x', topK: 1.5 }, 'topK'],
    [{ query: 'x', filters: { metadata: { a: [1] } } }, 'filters.metadata.a'],
    [
      { query: 'x', filters: { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, n])) } },
      'filters.metadata'
    ]
  ])('%o', async (request, field) => {
    await expect(ask(request)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining(field),
      details: { field }
    })
    expect(stored).toEqual([])
  })
})
