import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MARKED, MARKED_ID, markedDocument } from '../test-support/marked-document.ts'
import { testFingerprint, withIndex } from '../test-support/temporary-index.ts'
import { packChunks, unpackChunks } from './packed-chunks.ts'
import { WriterLink } from './writer-link.ts'

const module = new URL('../test-support/dying-writer.ts', import.meta.url)

describe('the writer thread', () => {
  it('fails the call in which it dies, and what it had begun has not happened', async () => {
    await withIndex(async (open, directory) => {
      const index = await open({ busyTimeoutMs: 200 })
      const { document, chunks } = markedDocument(1)
      await index.writer.replaceDocument(document, chunks)
      const dying = new WriterLink({ directory, fingerprint: testFingerprint, busyTimeoutMs: 200, module })
      for (let time = 0; time < 2; time++) {
        await expect(dying.replace(document, chunks)).rejects.toMatchObject({ failure: 'unavailable' })
      }
      await dying.close()
      // The lock went with the thread, and so did its revision.
      expect(await index.writer.deleteDocument(MARKED, MARKED_ID)).toBe(true)
      expect((await index.size()).revision).toBe(2)
    })
  })

  it('writes documents of several messages whole, and two at once', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const { document, chunks } = markedDocument(1)
      const many = Array.from({ length: 300 }, (_, sequence) => ({ ...chunks[0]!, sequence }))
      const names = ['one', 'two', 'three']
      await Promise.all(names.map((documentId) => index.writer.replaceDocument({ ...document, documentId }, many)))
      expect(await index.writer.listDocuments(MARKED)).toMatchObject(
        ['one', 'three', 'two'].map((documentId) => ({ documentId, chunks: 300 }))
      )
    })
  })

  it('closes after a document that is still being sent in parts, and takes no other', async () => {
    await withIndex(async (open, directory) => {
      const { document, chunks } = markedDocument(1)
      const many = Array.from({ length: 300 }, (_, sequence) => ({ ...chunks[0]!, sequence }))
      const link = new WriterLink({ directory, fingerprint: testFingerprint, busyTimeoutMs: 200 })
      const replacing = link.replace(document, many)
      const closing = link.close()
      await expect(link.replace(document, chunks)).rejects.toMatchObject({ failure: 'closed' })
      await Promise.all([replacing, closing])
      // Nothing has opened the file again: the last to close it takes the log away.
      expect(existsSync(join(directory, 'index.db-wal'))).toBe(false)
      const index = await open()
      expect(await index.writer.listDocuments(MARKED)).toMatchObject([{ documentId: MARKED_ID, chunks: 300 }])
    })
  })

  it('packs chunks without the batch that their vectors are views on, and unpacks them as they were', () => {
    const { chunks } = markedDocument(3)
    const batch = new Float32Array(10_000).fill(0.5)
    const views = chunks.map((chunk, index) => ({
      ...chunk,
      vector: batch.subarray(index * 40, index * 40 + 40),
      ...(index % 2 === 0 ? { tokenVectors: Uint8Array.of(index, 255) } : {})
    }))
    const packed = packChunks(views)
    expect(packed.vectors.byteLength).toBe(views.length * 40 * 4)
    expect(unpackChunks(packed)).toEqual(views)
  })
})
