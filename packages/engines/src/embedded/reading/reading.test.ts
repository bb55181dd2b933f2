import { describe, expect, it } from 'vitest'
import { chunksOf, documentOf, pairOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { markedDocument } from '../test-support/marked-document.ts'
import { openTestReader } from '../test-support/open-reader.ts'
import { inTemporaryFolder, TEST_DIMENSION, testFingerprint, withIndex } from '../test-support/temporary-index.ts'
import { openWriter } from '../writing/index-writer.ts'
import { StopReading } from './read-transaction.ts'
import { TopCandidates } from './top-candidates.ts'

const KB = pairOf('tenant', 'kb')
const scope = { pairs: [KB] }

describe('a read', () => {
  it('stops at the next block when its caller has gone, and the connection can be used on', async () => {
    await inTemporaryFolder(async (directory) => {
      const writer = openWriter({ directory, fingerprint: testFingerprint, busyTimeoutMs: 1000 })
      const { document, chunks } = markedDocument(1)
      writer.replace(document, chunks)
      const { reader, stop } = openTestReader(directory)
      stop(7)
      const { vector } = chunks[0]!
      const all = { pairs: [document] }
      expect(() => reader.vector({ vector, scope: all, limit: 1 }, 7)).toThrow(StopReading)
      expect(() => reader.lexical({ tokens: ['shared'], scope: all, limit: 1 }, 7)).toThrow(StopReading)
      expect(() => reader.statistics({ terms: ['shared'], scope: all }, 7)).toThrow(StopReading)
      expect(reader.vector({ vector, scope: all, limit: 1 }, 8).hits).toHaveLength(1)
      reader.close()
      writer.close()
    })
  })

  it('takes any limit, and refuses one that is no whole number from 0', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const vector = unitVector(TEST_DIMENSION, new Random(1))
      await index.writer.replaceDocument(documentOf(KB, 'd'), chunksOf([{ content: 'disk', vector }]))
      expect((await index.vector.search({ vector, scope, limit: 2 ** 40 })).hits).toHaveLength(1)
      expect((await index.lexical.search({ tokens: ['disk'], scope, limit: 2 ** 40 })).hits).toHaveLength(1)
      expect((await index.vector.search({ vector, scope, limit: 0 })).hits).toEqual([])
      for (const limit of [-1, 1.5, Number.NaN]) {
        const search = index.vector.search({ vector, scope, limit })
        await expect(search).rejects.toMatchObject({ failure: 'invalid-argument' })
      }
    })
  })

  it('gives a vector without direction the cosine 0', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const zero = new Float32Array(TEST_DIMENSION)
      const vector = unitVector(TEST_DIMENSION, new Random(1))
      const drafts = [zero, vector].map((one) => ({ content: 'disk', vector: one }))
      await index.writer.replaceDocument(documentOf(KB, 'd'), chunksOf(drafts))
      const found = await index.vector.search({ vector, scope, limit: 5 })
      expect(found.hits.map((hit) => hit.score)).toEqual([1, 0])
      const nothing = await index.vector.search({ vector: zero, scope, limit: 5 })
      expect(nothing.hits.map((hit) => hit.score)).toEqual([0, 0])
    })
  })

  it('measures the index, and says nothing more once that is closed', async () => {
    await withIndex(async (open) => {
      const index = await open()
      await index.warm()
      expect(await index.size()).toMatchObject({ documents: 0, chunks: 0, revision: 0 })
      const { document, chunks } = markedDocument(3)
      await index.writer.replaceDocument(document, chunks)
      await index.warm()
      const size = await index.size()
      expect(size).toMatchObject({ documents: 1, chunks: chunks.length, revision: 1 })
      expect(size.bytesOnDisk).toBeGreaterThan(4096)
      await Promise.all([index.close(), index.close()])
      await expect(index.size()).rejects.toMatchObject({ failure: 'closed' })
      await expect(index.warm()).rejects.toMatchObject({ failure: 'closed' })
    })
  })
})

describe('the candidates of a search', () => {
  it('are all that can still be among the best, whatever order they come in', () => {
    const random = new Random(9)
    for (let round = 0; round < 50; round++) {
      const limit = random.between(1, 30)
      const slack = random.pick([0, 0.01, 0.2])
      const values = Array.from({ length: 12_000 }, () => Math.round(random.next() * 500) / 500)
      const top = new TopCandidates<number>(limit)
      for (const [index, value] of values.entries()) top.add(index, value - slack, value + slack)
      const threshold = values.toSorted((left, right) => right - left)[limit - 1]! - slack
      const wanted = values.flatMap((value, index) => (value + slack >= threshold ? [index] : []))
      const remaining = top.remaining().map((entry) => entry.item)
      expect(remaining.toSorted((left, right) => left - right)).toEqual(wanted)
    }
  })
})
