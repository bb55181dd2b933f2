import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { EmbeddedIndex } from './index.ts'
import { openEmbeddedIndex } from './index.ts'
import { MARKED, MARKED_ID, markedDocument } from './test-support/marked-document.ts'
import { inTemporaryFolder, testFingerprint, withIndex } from './test-support/temporary-index.ts'

const scope = { pairs: [MARKED] }
/** A small disk: room for an index with one version of the document, not for many. */
const SMALL_DISK = '3m'

async function write(index: EmbeddedIndex, version: number): Promise<void> {
  const { document, chunks } = markedDocument(version)
  await index.writer.replaceDocument(document, chunks)
}

/** A document of many chunks: more than a small disk or a bounded file has room for. */
async function writeTooMuch(index: EmbeddedIndex): Promise<void> {
  const { document, chunks } = markedDocument(2)
  const many = Array.from({ length: 2000 }, (_, sequence) => ({
    ...chunks[0]!,
    sequence,
    content: `shared ${'long '.repeat(200)} ${sequence}`
  }))
  await index.writer.replaceDocument(document, many)
}

async function versionsSeen(index: EmbeddedIndex): Promise<number[][]> {
  const words = await index.lexical.search({ tokens: ['shared'], scope, limit: 100 })
  const { vector } = markedDocument(1).chunks[0]!
  const meanings = await index.vector.search({ vector, scope, limit: 100 })
  return [words, meanings].map((recall) => recall.hits.map((hit) => hit.documentVersion))
}

async function madeIndex(directory: string): Promise<string> {
  const index = await openEmbeddedIndex({ directory, fingerprint: testFingerprint })
  await write(index, 1)
  await index.close()
  return join(directory, 'index.db')
}

function execute(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

/** A program of the system; throws when it fails or is not there. */
function run(program: string, ...parameters: string[]): void {
  execFileSync(program, parameters, { stdio: 'ignore' })
}

const open = (directory: string) => openEmbeddedIndex({ directory, fingerprint: testFingerprint })

describe('opening a file that is not as it should be', () => {
  it('refuses a newer format, says what to do, and leaves the file as it was', async () => {
    await inTemporaryFolder(async (directory) => {
      const path = await madeIndex(directory)
      execute(path, 'PRAGMA user_version = 99')
      const before = readFileSync(path)
      await expect(open(directory)).rejects.toMatchObject({
        failure: 'newer-format',
        message: expect.stringContaining('format 99'),
        hint: expect.stringContaining('`index.db-wal`')
      })
      expect(readFileSync(path).equals(before)).toBe(true)
    })
  })

  it('calls a truncated file corrupt', async () => {
    await inTemporaryFolder(async (directory) => {
      const path = await madeIndex(directory)
      truncateSync(path, Math.floor(statSync(path).size / 2))
      await expect(open(directory)).rejects.toMatchObject({ failure: 'corrupt', subject: path })
    })
  })

  it('calls a file that is no database, or one of something else, corrupt', async () => {
    await inTemporaryFolder(async (directory) => {
      writeFileSync(join(directory, 'index.db'), 'These are notes about the index. '.repeat(200))
      await expect(open(directory)).rejects.toMatchObject({ failure: 'corrupt' })
    })
    await inTemporaryFolder(async (directory) => {
      execute(join(directory, 'index.db'), 'CREATE TABLE notes (text TEXT)')
      await expect(open(directory)).rejects.toMatchObject({
        failure: 'corrupt',
        message: expect.stringContaining('something else')
      })
    })
  })

  it('says when a page in the middle of the file was destroyed', async () => {
    await inTemporaryFolder(async (directory) => {
      const path = await madeIndex(directory)
      const bytes = readFileSync(path)
      // The first pages hold the schema; what is behind them is found by a search.
      bytes.fill(0xff, 4096 * 4)
      writeFileSync(path, bytes)
      const attempt = async () => {
        const index = await open(directory)
        try {
          await versionsSeen(index)
        } finally {
          await index.close()
        }
      }
      await expect(attempt()).rejects.toMatchObject({ failure: 'corrupt' })
    })
  })

  it('fails with a typed error where the folder cannot be made', async () => {
    await inTemporaryFolder(async (directory) => {
      writeFileSync(join(directory, 'file'), '')
      await expect(open(join(directory, 'file'))).rejects.toMatchObject({ failure: 'unavailable' })
    })
  })
})

describe('an index of another embedder', () => {
  it('is refused at opening, naming both', async () => {
    await inTemporaryFolder(async (directory) => {
      await madeIndex(directory)
      for (const difference of [
        { model: 'other' },
        { dimension: 41 },
        { normalised: false },
        { tokenizerVersion: '2' }
      ]) {
        const fingerprint = { ...testFingerprint, ...difference }
        const opening = openEmbeddedIndex({ directory, fingerprint })
        await expect(opening).rejects.toMatchObject({
          failure: 'model-mismatch',
          hint: expect.stringContaining('`oncall reindex`')
        })
        await expect(opening).rejects.toThrow(new RegExp(`${fingerprint.model} .*test-model`))
      }
    })
  })

  it('is refused by the next search and the next write when it was swapped in meanwhile', async () => {
    await withIndex(async (openIndex, directory) => {
      const index = await openIndex()
      await write(index, 1)
      execute(join(directory, 'index.db'), `UPDATE state SET lexical_tokenizer = 'v0'`)
      await expect(versionsSeen(index)).rejects.toMatchObject({ failure: 'model-mismatch' })
      await expect(write(index, 2)).rejects.toMatchObject({ failure: 'model-mismatch' })
    })
  })
})

describe('a full disk', () => {
  it('fails a write with a typed error and keeps the old version whole, and writes go on when there is room', async () => {
    await withIndex(async (openIndex) => {
      const index = await openIndex({ maxPages: 120 })
      await write(index, 1)
      const before = await versionsSeen(index)
      await expect(writeTooMuch(index)).rejects.toMatchObject({ failure: 'disk-full', subject: MARKED_ID })
      expect(await versionsSeen(index)).toEqual(before)
      expect(await index.writer.listDocuments(MARKED)).toMatchObject([{ version: 1 }])
      await write(index, 3)
      expect(new Set((await versionsSeen(index)).flat())).toEqual(new Set([3]))
    })
  })

  it('is noticed on a real file system too', async (context) => {
    await inTemporaryFolder(async (parent) => {
      const directory = join(parent, 'small')
      mkdirSync(directory)
      try {
        run('mount', '-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', directory)
      } catch {
        context.skip('this user may not mount a small file system')
      }
      const index = await open(directory)
      try {
        await write(index, 1)
        const before = await versionsSeen(index)
        await expect(writeTooMuch(index)).rejects.toMatchObject({ failure: 'disk-full' })
        expect(await versionsSeen(index)).toEqual(before)
      } finally {
        await index.close()
        run('umount', directory)
      }
    })
  })
})
