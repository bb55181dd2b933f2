import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { MARKED, MARKED_ID, markedDocument } from './test-support/marked-document.ts'
import { markedEntry } from './test-support/marked-entry.ts'
import { inTemporaryFolder, withIndex } from './test-support/temporary-index.ts'

const scope = { pairs: [MARKED] }

function start(program: string, ...parameters: string[]): ChildProcess {
  const path = join(import.meta.dirname, 'test-support', program)
  return spawn(process.execPath, [path, ...parameters], { stdio: ['pipe', 'pipe', 'inherit'] })
}

describe('several processes on one folder', () => {
  it('may all make a fresh index at once, and lose nothing that any of them writes', async () => {
    await inTemporaryFolder(async (parent) => {
      const directory = join(parent, 'not', 'there', 'yet')
      const writers = ['one', 'two', 'three'].map((name) => start('write-documents.ts', directory, name, '12'))
      const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'close'))[0] as number))
      expect(codes).toEqual([0, 0, 0])
      await withIndex(async (open) => {
        const index = await open({ directory })
        expect(await index.writer.listDocuments(MARKED)).toHaveLength(36)
        const found = await index.lexical.search({ tokens: ['shared'], scope, limit: 100 })
        expect(found.hits).toHaveLength(36)
      })
    })
  })

  it('see a document that another one replaces in its old version or its new one, never none and never a mix', async () => {
    await withIndex(async (open, directory) => {
      const index = await open()
      const replace = (version: number) => {
        const { document, chunks } = markedDocument(version)
        return index.writer.replaceDocument(document, chunks, markedEntry(version))
      }
      await replace(1)
      const watcher = start('watch-versions.ts', directory)
      await once(watcher.stdout!, 'data')
      for (let version = 2; version <= 200; version++) await replace(version)
      const answered = once(watcher.stdout!, 'data')
      watcher.stdin!.end()
      const seen = JSON.parse(String((await answered)[0])) as { looks: number; versions: number; faults: string[] }
      expect(seen.faults).toEqual([])
      expect(seen.versions).toBeGreaterThan(3)
      expect(seen.looks).toBeGreaterThanOrEqual(seen.versions)
    })
  })

  it('notice each other without being opened again', async () => {
    await withIndex(async (open) => {
      const [one, other] = [await open(), await open()]
      for (const version of [1, 2, 3]) {
        const { document, chunks } = markedDocument(version)
        await one.writer.replaceDocument(document, chunks)
        const found = await other.vector.search({ vector: chunks[0]!.vector, scope, limit: 1 })
        expect(found.hits.map((hit) => hit.documentVersion)).toEqual([version])
        expect(found.revision).toBe(version)
      }
      expect(await other.writer.deleteDocument(MARKED, MARKED_ID)).toBe(true)
      expect((await one.lexical.search({ tokens: ['shared'], scope, limit: 1 })).hits).toEqual([])
    })
  })

  it('fail with a typed error when one keeps the write lock, and can read meanwhile', async () => {
    await withIndex(async (open, directory) => {
      const index = await open({ busyTimeoutMs: 50 })
      const { document, chunks } = markedDocument(1)
      await index.writer.replaceDocument(document, chunks)
      const other = new DatabaseSync(join(directory, 'index.db'))
      other.exec('BEGIN IMMEDIATE')
      try {
        const next = markedDocument(2)
        await expect(index.writer.replaceDocument(next.document, next.chunks)).rejects.toMatchObject({
          failure: 'locked',
          operation: 'replace document',
          subject: MARKED_ID
        })
        const found = await index.lexical.search({ tokens: ['shared'], scope, limit: 1 })
        expect(found.hits.map((hit) => hit.documentVersion)).toEqual([1])
      } finally {
        other.close()
      }
      const next = markedDocument(2)
      await index.writer.replaceDocument(next.document, next.chunks)
    })
  })
})
