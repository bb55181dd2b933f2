import { describe, expect, it } from 'vitest'
import { strictClause } from '@oncall-agent/retrieval'
import type { MatchRequest, StructuredEntry } from '@oncall-agent/retrieval'
import { entryOf, pairOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { MARKED, markedDocument } from '../../test-support/marked-document.ts'
import { markedEntry } from '../../test-support/marked-entry.ts'
import { openTestReader } from '../../test-support/open-reader.ts'
import { inTemporaryFolder, TEST_DIMENSION, testFingerprint, withIndex } from '../../test-support/temporary-index.ts'
import { openWriter } from '../../writing/index-writer.ts'
import { StopReading } from '../read-transaction.ts'

const selection = { pairs: [MARKED], filters: {} }
const vector = unitVector(TEST_DIMENSION, new Random(1))

function matchOf(rest: Partial<MatchRequest>): MatchRequest {
  return { ...selection, mode: 'all', clauses: [], titleBoost: 1, from: 0, size: 10, ...rest }
}

async function* streamOf(entries: readonly StructuredEntry[]): AsyncGenerator<StructuredEntry> {
  yield* entries
}

describe('a search of entries', () => {
  it('stops at the next block when its caller has gone, and the connection can be used on', async () => {
    await inTemporaryFolder(async (directory) => {
      const writer = openWriter({ directory, fingerprint: testFingerprint, busyTimeoutMs: 1000 })
      const { document, chunks } = markedDocument(1)
      writer.replace(document, chunks, markedEntry(1))
      const { reader, stop } = openTestReader(directory)
      const { entries } = reader
      stop(7)
      const words = matchOf({ clauses: [strictClause(['shared'])] })
      expect(() => entries.match(words, 7)).toThrow(StopReading)
      expect(() => entries.match(matchOf({}), 7)).toThrow(StopReading)
      expect(() => entries.facets({ ...words, fields: ['project'], buckets: 5 }, 7)).toThrow(StopReading)
      expect(() => entries.nearest({ ...selection, vector, k: 1, numCandidates: 1 }, 7)).toThrow(StopReading)
      expect(() => entries.page(0, 7)).toThrow(StopReading)
      expect(entries.match(words, 8).total).toBe(1)
      reader.close()
      writer.close()
    })
  })

  it('refuses pages and windows that are no whole numbers, or beyond what it says it takes', async () => {
    await withIndex(async (open) => {
      const { structured } = await open()
      const { maxWindow } = structured.capabilities
      const rescore = { vector, window: 5, weight: 0.5 }
      const refused = [
        () => structured.match(matchOf({ from: -1 })),
        () => structured.match(matchOf({ size: 0.5 })),
        () => structured.match(matchOf({ from: maxWindow, size: 1 })),
        () => structured.match(matchOf({ rescore: { ...rescore, window: maxWindow + 1 } })),
        () => structured.nearest({ ...selection, vector, k: Number.NaN, numCandidates: 1 }),
        () => structured.facets({ ...matchOf({}), fields: ['project'], buckets: -1 })
      ]
      for (const search of refused) await expect(search()).rejects.toMatchObject({ failure: 'invalid-argument' })
      expect(await structured.match(matchOf({ from: maxWindow - 1, size: 1, rescore }))).toEqual({ total: 0, hits: [] })
    })
  })

  it('gives texts and values back as they were, whatever is in them, and filters by the values', async () => {
    await withIndex(async (open) => {
      const { structured } = await open()
      const awkward = `nul \u0000, "quotes", \\, line\nbreak, 𠮷 ${'长'.repeat(5_000)}`
      const entry = entryOf(MARKED, awkward.slice(0, 60), {
        title: awkward,
        body: `${awkward} disk`,
        project: awkward,
        equipment: '',
        errorCodes: [awkward, '', '__proto__'],
        contentHash: awkward
      })
      await structured.replaceDocument(entry)
      const filters = { project: awkward, equipment: '', errorCodes: ['__proto__'] }
      const { hits } = await structured.match(matchOf({ filters, clauses: [strictClause(['disk'])] }))
      expect(hits.map((hit) => hit.document)).toEqual([entry])
      expect((await structured.match(matchOf({ filters: { ...filters, project: `${awkward}!` } }))).total).toBe(0)
      const facets = await structured.facets({ ...matchOf({}), fields: ['project', 'errorCodes'], buckets: 9 })
      const values = facets.errorCodes?.buckets.map(({ value }) => value)
      expect([facets.project?.buckets[0]?.value, values]).toEqual([awkward, ['', '__proto__', awkward]])
    })
  })

  it('puts equal scores into corpus order over knowledge bases, the first few as well as all of them, or of some', async () => {
    await withIndex(async (open) => {
      const { structured } = await open()
      const pairs = [MARKED, pairOf('tenant', 'other')]
      const random = new Random(3)
      const entries = Array.from({ length: 400 }, (_, number) =>
        entryOf(random.pick(pairs), `d${random.between(100, 999)}-${number}`, {
          createdAt: random.between(1, 20),
          project: number % 50 === 0 ? 'rare' : 'frequent'
        })
      )
      await structured.rebuild(streamOf(entries))
      for (const project of [undefined, 'frequent', 'rare']) {
        const wanted = entries.filter((entry) => project === undefined || entry.project === project)
        const inOrder = wanted.toSorted(
          (left, right) => left.createdAt - right.createdAt || (left.documentId < right.documentId ? -1 : 1)
        )
        for (const [from, size] of [
          [0, 1],
          [0, 10],
          [7, 20],
          [0, 1_000]
        ] as const) {
          const filters = project === undefined ? {} : { project }
          const { total, hits } = await structured.match(matchOf({ pairs, filters, from, size }))
          expect(total).toBe(wanted.length)
          const expected = inOrder.slice(from, from + size).map((entry) => entry.documentId)
          expect(hits.map((hit) => hit.document.documentId)).toEqual(expected)
        }
      }
    })
  })

  it('knows an entry by its pair, also where two have one document id', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const other = pairOf('tenant', 'other')
      for (const pair of [MARKED, other]) {
        await index.structured.replaceDocument(entryOf(pair, 'd', { body: pair.knowledgeBaseId }))
      }
      const both = await index.structured.match(matchOf({ pairs: [other, MARKED, other] }))
      expect(both.hits.map((hit) => hit.document.body)).toEqual([MARKED.knowledgeBaseId, 'other'])
      expect((await index.entry(other, 'd'))?.body).toBe('other')
    })
  })
})

describe('all entries', () => {
  it('are read over more than one page, whole, and none twice', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const long = 'text '.repeat(60_000)
      const written = Array.from({ length: 600 }, (_, number) =>
        entryOf(number % 2 === 0 ? MARKED : pairOf('tenant', 'other'), `d${number}`, {
          body: number % 100 === 0 ? long : 'disk',
          vector: unitVector(TEST_DIMENSION, new Random(number))
        })
      )
      await index.structured.rebuild(streamOf(written))
      const read = new Map<string, (typeof written)[number]>()
      for await (const entry of index.entries()) read.set(entry.documentId, entry)
      expect(read.size).toBe(written.length)
      for (const entry of written) expect(read.get(entry.documentId)).toEqual(entry)
    })
  })

  it('stop being read when the caller has gone', async () => {
    await withIndex(async (open) => {
      const index = await open()
      await index.structured.replaceDocument(markedEntry(1))
      const reason = new Error('the caller left')
      await expect(index.entries(AbortSignal.abort(reason)).next()).rejects.toBe(reason)
    })
  })
})
