import { looseClause, strictClause, tokenize, vectorPartOf } from '@oncall-agent/retrieval'
import type { MatchRequest, StructuredEntry, StructuredIndex } from '@oncall-agent/retrieval'
import { entryOf, MemoryStructuredIndex, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EngineConnection } from './connection/index.ts'
import { dialects } from './dialects/index.ts'
import { aliasOf, wordOf, wordsOf } from './indices/index.ts'
import { countFacets } from './reading/index.ts'
import { START_TIMEOUT_MS, engineForTests, fingerprint, streamOf } from './test-support/engine-for-tests.ts'

const engine = await engineForTests()
const { dimension } = fingerprint
const TYPES = ['alarm', 'setup', 'experience']
const pair = { tenantId: 't', knowledgeBaseId: 'k' }

const everything: MatchRequest = {
  pairs: [pair],
  filters: {},
  mode: 'all',
  clauses: [],
  titleBoost: 3,
  from: 0,
  size: 100
}
const axis = (value: number): Float32Array => new Float32Array(dimension).fill(value)
const clause = (text: string) => strictClause([...new Set(tokenize(text))])

/** Short enough that Lucene's length byte is exact; no document is replaced, so that its statistics are those of the scope. */
function randomEntries(number: number): StructuredEntry[] {
  const random = new Random(11)
  const words = ['disk', 'full', 'E_1027', '网关', '重启', 'v1/chat', 'the', 'the', 'the']
  const text = (most: number): string =>
    Array.from({ length: random.between(0, most) }, () => random.pick(words)).join(' ')
  return Array.from({ length: number }, (_, id) =>
    entryOf(pair, `d${id}`, {
      knowledgeType: random.pick(TYPES),
      title: text(4),
      body: text(12),
      project: `p${random.between(0, 40)}`,
      errorCodes: random.some(['E1', 'E2', 'E3', 'E4', 'E5', 'E6'], 0.3),
      createdAt: random.between(1, 5),
      // Of any length; a fifth of the documents has none.
      ...(random.next() < 0.2 ? {} : { vector: unitVector(dimension, random).map((value) => value * 3) })
    })
  )
}

describe.skipIf(engine.isMissing)(`ranking by OpenSearch ${engine.note}`, () => {
  beforeAll(engine.start, START_TIMEOUT_MS)
  afterAll(engine.stop)

  describe('over several types and shards', () => {
    const entries = randomEntries(240)
    const random = new Random(12)
    const vector = unitVector(dimension, random)
    const clauses = [clause('the'), looseClause(['disk', 'full', '网关'], 0.6)]
    let index: StructuredIndex
    let reference: MemoryStructuredIndex
    beforeAll(async () => {
      index = engine.open({ shards: 3 })
      reference = new MemoryStructuredIndex({ dimension, knowledgeTypes: TYPES })
      await index.rebuild(streamOf(entries))
      await reference.rebuild(streamOf(entries))
    })
    afterAll(() => index.close())

    test('a score is (1 - w)·BM25 + w·(cos + 1) to a millionth, and the BM25 is that of the recall', async () => {
      const bm25 = new Map(
        (await index.match({ ...everything, clauses, size: 300 })).hits.map((hit) => [
          hit.document.documentId,
          hit.score
        ])
      )
      for (const weight of [0.5, 0.2, 1, 0]) {
        const rescore = { vector, window: 300, weight }
        const { total, hits } = await index.match({ ...everything, clauses, size: 300, rescore })
        expect([total, hits.length]).toEqual([bm25.size, bm25.size])
        expect(bm25.size).toBeGreaterThan(100)
        for (const hit of hits) {
          const entry = entries.find(({ documentId }) => documentId === hit.document.documentId)!
          const words = bm25.get(entry.documentId)!
          const meaning = vectorPartOf(vector, entry.vector)
          expect(hit.bm25).toBe(words)
          expect(Math.abs(hit.vectorPart - meaning)).toBeLessThan(1e-6)
          expect(Math.abs(hit.score - ((1 - weight) * words + weight * meaning))).toBeLessThan(1e-6)
        }
      }
    })

    test.each([7, 50])(
      'of all shards together %i are rescored, and every page and tie is as by brute force',
      async (window) => {
        const rescore = { vector, window, weight: 0.5 }
        for (const from of [0, 4, 40, 90]) {
          const request = { ...everything, clauses, mode: 'any' as const, from, size: 20, rescore }
          const [actual, expected] = [await index.match(request), await reference.match(request)]
          expect(actual.total).toBe(expected.total)
          expect(actual.hits.map(({ document }) => document.documentId)).toEqual(
            expected.hits.map(({ document }) => document.documentId)
          )
          for (const [rank, hit] of actual.hits.entries()) {
            for (const part of ['score', 'bm25', 'vectorPart'] as const) {
              expect(Math.abs(hit[part] - expected.hits[rank]![part])).toBeLessThan(1e-5)
            }
          }
        }
      }
    )

    test('facets are exact where shards send few of their values, and where they send all', async () => {
      const { knowledgeTypes } = index.capabilities
      const connection = new EngineConnection({ addresses: [engine.url()], timeoutMs: 10_000, retries: 0 })
      const parts = {
        connection,
        dialect: dialects.opensearch,
        aliasesFor: () => knowledgeTypes.map(aliasOf),
        checkIndices: async () => {}
      }
      for (const buckets of [1, 3, 20, 100]) {
        const request = { ...everything, clauses, fields: ['project', 'errorCodes'] as const, buckets }
        const expected = await reference.facets(request)
        expect(await index.facets(request)).toEqual(expected)
        expect(await countFacets(parts, request, { valuesOfAShard: 1 })).toEqual(expected)
      }
      await connection.close()
    })

    test('lists everything in corpus order', async () => {
      expect(await index.listDocuments(pair)).toEqual(await reference.listDocuments(pair))
    })
  })

  describe('of one document at a time', () => {
    let index: StructuredIndex
    beforeEach(async () => {
      index = await engine.emptyIndex()
      return () => index.close()
    })

    test('opposite, huge and tiny vectors give a part of 0 to 2', async () => {
      const vectors = { opposite: axis(-3e38), huge: axis(3e38), tiny: axis(1e-44) }
      for (const [id, vector] of Object.entries(vectors)) {
        await index.replaceDocument(entryOf(pair, id, { body: 'disk', vector }))
      }
      for (const value of [1, 3e38, 1e-44]) {
        const rescore = { vector: axis(value), window: 10, weight: 1 }
        const { hits } = await index.match({ ...everything, clauses: [clause('disk')], rescore })
        const near = await index.nearest({ pairs: [pair], filters: {}, vector: axis(value), k: 3, numCandidates: 100 })
        for (const found of [hits, near.hits]) {
          const byId = Object.fromEntries(found.map((hit) => [hit.document.documentId, hit.vectorPart]))
          expect(byId).toEqual({
            opposite: expect.closeTo(0, 5),
            huge: expect.closeTo(2, 5),
            tiny: expect.closeTo(2, 5)
          })
          expect(found.every(({ vectorPart }) => vectorPart >= 0 && vectorPart <= 2)).toBe(true)
        }
      }
    })

    test('quotes, wildcards, spaces and long names in ids and values match themselves alone', async () => {
      const names = [
        'a"b',
        'a*',
        'a?',
        '*',
        'a b',
        "a'b",
        'a\\',
        'A"B',
        '🚦',
        'x'.repeat(600),
        '{"match_all":{}}',
        '_all,x',
        ''
      ]
      for (const [number, name] of names.entries()) {
        await index.replaceDocument(
          entryOf({ tenantId: name, knowledgeBaseId: 'k' }, name, {
            body: `disk ${number}`,
            project: name,
            errorCodes: [name]
          })
        )
      }
      const pairs = names.map((tenantId) => ({ tenantId, knowledgeBaseId: 'k' }))
      for (const [number, name] of names.entries()) {
        for (const request of [
          { ...everything, pairs: [pairs[number]!] },
          { ...everything, pairs, filters: { project: name } },
          { ...everything, pairs, filters: { errorCodes: [name] } }
        ]) {
          const { total, hits } = await index.match(request)
          expect({ name, total, body: hits[0]?.document.body }).toEqual({ name, total: 1, body: `disk ${number}` })
        }
        expect(await index.deleteDocument(pairs[number]!, name)).toBe(true)
      }
      expect((await index.match({ ...everything, pairs })).total).toBe(0)
    })

    test('what stands in a text of half characters is found and given back whole, half a filter finds nothing', async () => {
      await index.replaceDocument(
        entryOf(pair, 'd', { title: 'gate\ud800way', body: 'disk \udc00 full', project: '\ufffd' })
      )
      const { hits } = await index.match({ ...everything, clauses: [clause('disk full')] })
      expect(hits.map(({ document }) => document.body)).toEqual(['disk \udc00 full'])
      expect((await index.match({ ...everything, filters: { project: '\ud800' } })).total).toBe(0)
    })

    test('tokens of 255 characters, of 256, and as long as a document are found whole and only whole', async () => {
      const lengths = [255, 256, 40_000]
      for (const length of lengths) {
        await index.replaceDocument(entryOf(pair, `${length}`, { body: `about ${'x'.repeat(length)}` }))
      }
      for (const length of lengths) {
        const { hits } = await index.match({ ...everything, clauses: [clause('x'.repeat(length))] })
        expect(hits.map(({ document }) => document.documentId)).toEqual([`${length}`])
      }
      expect((await index.match({ ...everything, clauses: [clause('x'.repeat(254))] })).total).toBe(0)
    })

    test('a rescored hit is of one moment, though its document is replaced all the while', async () => {
      const axes = ['first', 'second'].map((_, at) => new Float32Array(dimension).fill(1, at, at + 1))
      const replace = (number: number) =>
        index.replaceDocument(entryOf(pair, 'd', { body: `disk ${number % 2}`, vector: axes[number % 2]! }))
      await replace(0)
      const over = new AbortController()
      const writing = (async () => {
        for (let number = 1; !over.signal.aborted; number++) await replace(number)
      })()
      for (let search = 0; search < 40; search++) {
        const rescore = { vector: axes[0]!, window: 10, weight: 0.5 }
        const { hits } = await index.match({ ...everything, clauses: [clause('disk')], rescore })
        expect(hits.map((hit) => [hit.document.body, Math.round(hit.vectorPart)])).toEqual([
          hits[0]?.document.body === 'disk 0' ? ['disk 0', 2] : ['disk 1', 1]
        ])
      }
      over.abort()
      await writing
    })

    test('the engine splits our words into exactly our tokens, whatever the text', async () => {
      const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 60 }), { numRuns: 300, seed: 7 })
      const [name] = Object.keys((await engine.ask('GET', '/kb_alarm_v1')) as object)
      const split = async (text: string): Promise<string[]> => {
        const body = { analyzer: 'words', text: wordsOf(text) }
        const { tokens } = (await engine.ask('POST', `/${name}/_analyze`, body)) as {
          readonly tokens: { readonly token: string }[]
        }
        return tokens.map(({ token }) => token)
      }
      const together = texts.join('\n')
      const expected = tokenize(together).map(wordOf)
      expect(expected.length).toBeGreaterThan(500)
      expect(await split(together)).toEqual(expected)
      expect(await split('今天E_CONN_RESET玩KubePodCrashLooping.v1/chat 𠮷野')).toEqual(
        tokenize('今天E_CONN_RESET玩KubePodCrashLooping.v1/chat 𠮷野')
      )
    })
  })
})
