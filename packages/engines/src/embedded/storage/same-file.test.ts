import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEmbeddedIndex } from '../index.ts'
import { MARKED, markedDocument } from '../test-support/marked-document.ts'
import { inTemporaryFolder, testFingerprint } from '../test-support/temporary-index.ts'

describe('an index whose file is not there any more', () => {
  it.each<[string, (directory: string) => Promise<void>]>([
    ['moved', (directory) => rename(directory, `${directory}-moved`)],
    ['deleted', (directory) => rm(join(directory, 'index.db'))],
    [
      'replaced by another',
      async (directory) => {
        await rename(directory, `${directory}-old`)
        await mkdir(directory)
        const other = await openEmbeddedIndex({ directory, fingerprint: testFingerprint })
        await other.close()
      }
    ]
  ])('because it was %s does not answer as if it were', async (_how, change) => {
    await inTemporaryFolder(async (folder) => {
      const directory = join(folder, 'data')
      const index = await openEmbeddedIndex({ directory, fingerprint: testFingerprint })
      const { document, chunks } = markedDocument(1)
      await index.writer.replaceDocument(document, chunks)
      const search = () => index.lexical.search({ tokens: ['shared'], scope: { pairs: [MARKED] }, limit: 5 })
      expect((await search()).hits.length).toBeGreaterThan(0)
      await change(directory)
      await expect(search()).rejects.toMatchObject({ failure: 'unavailable' })
      await expect(index.size()).rejects.toMatchObject({ failure: 'unavailable' })
      await index.close()
    })
  })
})
