import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EmbeddedIndex } from './embedded-index.ts'
import { openOrClose } from './open-embedded-index.ts'
import { MARKED, MARKED_ID, markedDocument } from './test-support/marked-document.ts'
import { inTemporaryFolder, TEST_DIMENSION, testFingerprint, withIndex } from './test-support/temporary-index.ts'
import { ReaderPool } from './threads/reader-pool.ts'
import { WriterLink } from './threads/writer-link.ts'

const module = new URL('./test-support/unclosable-reader.ts', import.meta.url)

interface Parts {
  readonly index: EmbeddedIndex
  readonly readers: ReaderPool
  readonly directory: string
}

async function withUnclosableReaders(work: (parts: Parts) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (directory) => {
    const settings = { directory, fingerprint: testFingerprint, busyTimeoutMs: 200 }
    const readers = new ReaderPool({ ...settings, readers: 2, module })
    const writer = new WriterLink(settings)
    await work({
      index: new EmbeddedIndex({ directory, dimension: TEST_DIMENSION, knowledgeTypes: [], readers, writer }),
      readers,
      directory
    })
  })
}

describe('closing an index', () => {
  it('closes the writer also when readers fail to close, and says that they did', async () => {
    await withUnclosableReaders(async ({ index, directory }) => {
      const { document, chunks } = markedDocument(1)
      await index.writer.replaceDocument(document, chunks)
      await index.warm()
      expect(existsSync(join(directory, 'index.db-wal'))).toBe(true)
      await expect(index.close()).rejects.toThrow('cannot be closed')
      expect(existsSync(join(directory, 'index.db-wal'))).toBe(false)
      await expect(index.writer.replaceDocument(document, chunks)).rejects.toMatchObject({ failure: 'closed' })
    })
  })

  it('does not hide why the index could not be opened', async () => {
    await withUnclosableReaders(async ({ index, readers }) => {
      await expect(openOrClose(index, readers)).rejects.toThrow('cannot be opened')
      await expect(readers.call('documents', MARKED)).rejects.toMatchObject({ failure: 'closed' })
    })
  })

  it('lets a write that is under way come to its end, and takes none from then on', async () => {
    await withIndex(async (open) => {
      const { document, chunks } = markedDocument(1)
      const many = Array.from({ length: 300 }, (_, sequence) => ({ ...chunks[0]!, sequence }))
      const index = await open()
      const replacing = index.writer.replaceDocument(document, many)
      const closing = index.close()
      await expect(index.writer.deleteDocument(MARKED, MARKED_ID)).rejects.toMatchObject({ failure: 'closed' })
      await Promise.all([replacing, closing])
      const again = await open()
      expect(await again.writer.listDocuments(MARKED)).toMatchObject([{ documentId: MARKED_ID, chunks: 300 }])
    })
  })
})
