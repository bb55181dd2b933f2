import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunksOf, documentOf, entryOf, pairOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { strictClause } from '@oncall-agent/retrieval'
import type { KnowledgeIndex } from '@oncall-agent/retrieval'
import { describe, expect, it } from 'vitest'
import { beginReplacement, createNextGeneration, openEmbeddedIndex, storedFingerprint } from '../index.ts'
import { chunksOfVersion, MARKED, markedDocument, markOf } from '../test-support/marked-document.ts'
import { markedEntry } from '../test-support/marked-entry.ts'
import { inTemporaryFolder, TEST_DIMENSION, testFingerprint, withIndex } from '../test-support/temporary-index.ts'

const OTHER = { ...testFingerprint, model: 'other-model', dimension: 24 }
const scope = { pairs: [MARKED] }
const allEntries = { ...scope, filters: {}, mode: 'all' as const, clauses: [strictClause(['shared'])] }
const KILLS = 12
const LONGEST_LIFE_MS = 60

async function put(index: KnowledgeIndex, version: number): Promise<void> {
  const { document, chunks } = markedDocument(version)
  await index.writer.replaceDocument(document, chunks, markedEntry(version))
}

/** What both branches and structured search say of the one document, as versions. */
async function versionsIn(index: KnowledgeIndex): Promise<readonly number[]> {
  const vector = unitVector(TEST_DIMENSION, new Random(1))
  const [words, meanings, entries, nearest] = await Promise.all([
    index.lexical.search({ tokens: ['shared'], scope, limit: 50 }),
    index.vector.search({ vector, scope, limit: 50 }),
    index.structured.match({ ...allEntries, from: 0, size: 10, titleBoost: 1 }),
    index.structured.nearest({ ...allEntries, vector, k: 10, numCandidates: 10 })
  ])
  const versions = new Set([...words.hits, ...meanings.hits].map((hit) => hit.documentVersion))
  for (const version of versions) {
    expect(words.hits).toHaveLength(chunksOfVersion(version))
    expect(meanings.hits).toHaveLength(chunksOfVersion(version))
    for (const { hits } of [entries, nearest]) {
      expect(hits.map((hit) => hit.document.contentHash)).toEqual([markOf(version)])
    }
  }
  return [...versions]
}

async function makeNext(directory: string, next: string, version: number): Promise<void> {
  createNextGeneration({ directory, next, fingerprint: testFingerprint })
  const made = await openEmbeddedIndex({ directory: next, fingerprint: testFingerprint })
  await put(made, version)
  await made.close()
}

describe('an index that is replaced by another one', () => {
  it('shows the new content to who has it open, in both branches, and is whole', async () => {
    await withIndex(async (open, directory) => {
      const index = await open()
      await put(index, 1)
      // Rows of vectors, slots and frequencies of the old content are in memory now.
      expect(await versionsIn(index)).toEqual([1])
      const before = await index.size()
      await makeNext(directory, join(directory, 'next'), 2)
      expect(await versionsIn(index)).toEqual([1])

      beginReplacement(directory, join(directory, 'next')).commit()
      expect(await versionsIn(index)).toEqual([2])
      expect(await index.verify()).toEqual([])
      expect((await index.size()).revision).toBeGreaterThan(before.revision)

      await put(index, 3)
      expect(await versionsIn(index)).toEqual([3])
      expect(await index.verify()).toEqual([])
    })
  })

  it('again and again stays whole for the same reader', async () => {
    await withIndex(async (open, directory) => {
      const index = await open()
      await put(index, 1)
      for (let version = 2; version < 8; version++) {
        const next = join(directory, `next-${version}`)
        await makeNext(directory, next, version)
        beginReplacement(directory, next).commit()
        expect(await versionsIn(index)).toEqual([version])
      }
    })
  })

  it('goes on with numbers that neither chunks nor entries of the new content have', async () => {
    await withIndex(async (open, directory) => {
      const index = await open()
      await put(index, 1)
      const next = join(directory, 'next')
      await makeNext(directory, next, 2)
      beginReplacement(directory, next).commit()
      expect(await versionsIn(index)).toEqual([2])
      for (const name of ['one', 'two']) {
        const pair = pairOf('tenant', name)
        const vector = unitVector(TEST_DIMENSION, new Random(7))
        const entry = entryOf(pair, name, { body: 'shared', vector })
        await index.writer.replaceDocument(documentOf(pair, name), chunksOf([{ content: name, vector }]), entry)
        const found = await index.structured.nearest({ pairs: [pair], filters: {}, vector, k: 5, numCandidates: 5 })
        expect(found.hits.map((hit) => [hit.document.documentId, hit.score])).toEqual([[name, 2]])
      }
      expect(await versionsIn(index)).toEqual([2])
      expect(await index.verify()).toEqual([])
    })
  })

  it('by one of another model is refused to who has the old model, naming both', async () => {
    await withIndex(async (open, directory) => {
      const index = await open()
      await put(index, 1)
      const next = join(directory, 'next')
      createNextGeneration({ directory, next, fingerprint: OTHER })
      beginReplacement(directory, next).commit()
      const refusal = { failure: 'model-mismatch', hint: expect.stringContaining('oncall reindex') }
      await expect(versionsIn(index)).rejects.toMatchObject(refusal)
      await expect(put(index, 2)).rejects.toMatchObject(refusal)
      await expect(versionsIn(index)).rejects.toThrow(/test-model .*other-model|other-model .*test-model/)
      expect(storedFingerprint(directory)).toMatchObject(OTHER)
    })
  })

  it('waits for nobody who reads, and lets no one write between the lock and its end', async () => {
    await withIndex(async (open, directory) => {
      const index = await open({ busyTimeoutMs: 50 })
      await put(index, 1)
      await makeNext(directory, join(directory, 'next'), 2)
      const replacement = beginReplacement(directory, join(directory, 'next'))
      expect(await versionsIn(index)).toEqual([1])
      await expect(put(index, 3)).rejects.toMatchObject({ failure: 'locked' })
      replacement.cancel()
      await put(index, 3)
      expect(await versionsIn(index)).toEqual([3])
      replacement.cancel()
    })
  })

  it('is refused when both have knowledge bases of the same numbers', async () => {
    await withIndex(async (open, directory) => {
      await put(await open(), 1)
      const next = join(directory, 'next')
      const foreign = await openEmbeddedIndex({ directory: next, fingerprint: testFingerprint })
      await put(foreign, 2)
      await foreign.close()
      expect(() => beginReplacement(directory, next)).toThrow(/same numbers/)
      expect(await versionsIn(await open())).toEqual([1])
    })
  })
})

describe('the next generation of an index', () => {
  it('that was begun is taken up as it is', async () => {
    await withIndex(async (open, directory) => {
      await put(await open(), 1)
      const next = join(directory, 'next')
      await makeNext(directory, next, 2)
      createNextGeneration({ directory, next, fingerprint: testFingerprint })
      const made = await openEmbeddedIndex({ directory: next, fingerprint: testFingerprint })
      expect(await versionsIn(made)).toEqual([2])
      await made.close()
    })
  })
})

describe('the fingerprint that an index has', () => {
  it('is told whatever the configured one is, and opens it to be read', async () => {
    await withIndex(async (open, directory) => {
      expect(storedFingerprint(directory)).toBeUndefined()
      const index = await open()
      const pair = pairOf('tenant', 'other')
      const vector = unitVector(TEST_DIMENSION, new Random(1))
      await index.writer.replaceDocument(documentOf(pair, 'd'), chunksOf([{ content: 'words that stay', vector }]))
      const found = storedFingerprint(directory)
      expect(found).toMatchObject(testFingerprint)
      const again = await open({ fingerprint: found! })
      expect(await again.writer.listDocuments(pair)).toHaveLength(1)
    })
  })

  it('of a file that is no index is an error, and of an empty file there is none', async () => {
    await inTemporaryFolder(async (directory) => {
      mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, 'index.db'), '')
      expect(storedFingerprint(directory)).toBeUndefined()
      writeFileSync(join(directory, 'index.db'), 'this is a text of somebody, and no database at all'.repeat(100))
      expect(() => storedFingerprint(directory)).toThrow(expect.objectContaining({ failure: 'corrupt' }))
    })
  })
})

describe('a process that is killed while it replaces an index', () => {
  it(`leaves the old content or the new one, whole (${KILLS} kills)`, async () => {
    await withIndex(async (open, directory) => {
      const reader = await open()
      await put(reader, 1)
      const program = join(import.meta.dirname, '..', 'test-support', 'replace-and-hang.ts')
      const random = new Random(5)
      let version = 1
      for (let kill = 0; kill < KILLS; kill++) {
        const first = String(version + 1)
        const child = spawn(process.execPath, [program, directory, join(directory, 'next'), first], {
          stdio: ['ignore', 'pipe', 'inherit']
        })
        let said = ''
        child.stdout.on('data', (data: Buffer) => (said += data.toString('utf8')))
        await once(child.stdout, 'data')
        await sleep(random.next() * LONGEST_LIFE_MS)
        child.kill('SIGKILL')
        await once(child, 'close')
        const done = Number(said.trimEnd().split('\n').at(-1))
        const [found, ...others] = await versionsIn(reader)
        expect(others).toEqual([])
        expect([done, done + 1]).toContain(found)
        version = found!
      }
      expect(await reader.verify()).toEqual([])
    })
  })
})
