import { describe, expect, it } from 'vitest'
import type { ChunkToPublish, Metadata } from '@oncall-agent/retrieval'
import { documentOf, pairOf } from '@oncall-agent/retrieval/conformance'
import { chunksOfVersion, markedDocument } from '../test-support/marked-document.ts'
import { withIndex } from '../test-support/temporary-index.ts'

const KB = pairOf('tenant', 'kb')
const scope = { pairs: [KB] }

describe('replacing a document', () => {
  it('refuses what could not be read back as it was, naming it, and keeps what was there', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const { chunks } = markedDocument(1)
      const document = documentOf(KB, 'd')
      await index.writer.replaceDocument(document, chunks)
      const [first] = chunks as [ChunkToPublish]
      const faults: [string, Partial<ChunkToPublish>][] = [
        ['sequence -1', { sequence: -1 }],
        ['sequence 0.5', { sequence: 0.5 }],
        ['sequence 1048576', { sequence: 1_048_576 }],
        ['not finite', { metadata: { level: Number.NaN } }],
        ['39 wide', { vector: first.vector.slice(1) }]
      ]
      for (const [words, fault] of faults) {
        const writing = index.writer.replaceDocument({ ...document, version: 2 }, [{ ...first, ...fault }])
        await expect(writing).rejects.toMatchObject({
          failure: 'invalid-argument',
          subject: 'd',
          message: expect.stringContaining(words)
        })
      }
      const unnamed = index.writer.replaceDocument(documentOf(KB, ''), chunks)
      await expect(unnamed).rejects.toMatchObject({ failure: 'invalid-argument' })
      const endless = { ...document, metadata: { level: Number.POSITIVE_INFINITY } }
      await expect(index.writer.replaceDocument(endless, [])).rejects.toMatchObject({ failure: 'invalid-argument' })
      expect(await index.writer.listDocuments(KB)).toMatchObject([{ version: 1, chunks: chunks.length }])
    })
  })

  it('takes a document without chunks, which is listed and found by nothing', async () => {
    await withIndex(async (open) => {
      const index = await open()
      await index.writer.replaceDocument(documentOf(KB, 'empty'), [])
      expect(await index.writer.listDocuments(KB)).toMatchObject([{ documentId: 'empty', chunks: 0 }])
      expect((await index.lexical.search({ tokens: ['shared'], scope, limit: 5 })).hits).toEqual([])
    })
  })

  it('keeps metadata that is awkward as a key or a value, and filters by it', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const { chunks } = markedDocument(1)
      const long = '长'.repeat(5_000)
      const awkward = JSON.parse(
        `{"__proto__": "a", "constructor": 1, "line\\nbreak": "x\\u0000y", "": "", "long": "${long}"}`
      )
      const metadata = awkward as Metadata
      await index.writer.replaceDocument(documentOf(KB, 'd', { metadata }), chunks)
      for (const [name, value] of Object.entries(metadata)) {
        const filter = Object.fromEntries([[name, value]])
        const request = { tokens: ['shared'], scope: { ...scope, metadata: filter }, limit: 100 }
        expect((await index.lexical.search(request)).hits).toHaveLength(chunksOfVersion(1))
        const other = { ...request, scope: { ...scope, metadata: Object.fromEntries([[name, `${value}!`]]) } }
        expect((await index.lexical.search(other)).hits).toEqual([])
      }
      const chunkIds = ['d#0000']
      const [read] = await index.chunks.read({ chunkIds, scope, withVectors: false, withTokenVectors: false })
      expect(Object.entries(read!.document.metadata)).toEqual(Object.entries(metadata))
    })
  })

  it('brings deleted words and meanings of one document out of every statistic', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const { chunks } = markedDocument(1)
      await index.writer.replaceDocument(documentOf(KB, 'kept'), chunks)
      const before = await index.lexical.statistics(['shared', 'chunk'], scope)
      await index.writer.replaceDocument(documentOf(KB, 'gone'), chunks)
      expect((await index.lexical.statistics(['shared'], scope)).chunks).toBe(2 * chunks.length)
      await index.writer.deleteDocument(KB, 'gone')
      expect(await index.lexical.statistics(['shared', 'chunk'], scope)).toEqual(before)
    })
  })
})
