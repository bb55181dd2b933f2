import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { ChunkToPublish } from '@oncall-agent/retrieval'
import { chunksOf, documentOf, MemoryIndex, pairOf, Random } from '@oncall-agent/retrieval/conformance'
import { differenceIn } from '../test-support/compare-with-memory.ts'
import { openTestReader } from '../test-support/open-reader.ts'
import { randomDocument, randomScope, randomTokens, randomVector } from '../test-support/random-documents.ts'
import { inTemporaryFolder, TEST_DIMENSION, testFingerprint, withIndex } from '../test-support/temporary-index.ts'
import { openWriter } from './index-writer.ts'
import { mergeOf, WORK_MERGE, WORK_MOVE, WORK_NONE, WORK_REMOVE, WORK_SETTLE, workOf } from './page-work.ts'
import type { PageCondition } from './page-work.ts'
import type { Run } from './run-table.ts'

const KB = pairOf('tenant', 'kb')
const scope = { pairs: [KB] }
const CALL = 1
/** A step of no time takes one bucket, so that a merge is seen at every stage. */
const ONE_BUCKET = 0

function tablesOf(directory: string): { pages: number; dead: number; runs: number; due: number; postings: number } {
  const database = new DatabaseSync(join(directory, 'index.db'), { readOnly: true })
  const number = (sql: string) => Number(database.prepare(sql).get()?.n)
  const found = {
    pages: number('SELECT count(*) AS n FROM page'),
    dead: number('SELECT coalesce(sum(dead), 0) AS n FROM page'),
    runs: number('SELECT count(*) AS n FROM run'),
    due: number('SELECT count(*) AS n FROM page WHERE work > 0'),
    postings: number('SELECT count(*) AS n FROM posting')
  }
  database.close()
  return found
}

function manyChunks(random: Random, count: number): ChunkToPublish[] {
  return randomDocument(random, KB, 'any', count).chunks
}

describe('compaction', () => {
  it('changes no answer at any of its steps, and leaves few runs and few dead slots', async () => {
    await inTemporaryFolder(async (directory) => {
      const random = new Random(11)
      const writer = openWriter({ directory, fingerprint: testFingerprint, busyTimeoutMs: 1000 }, ONE_BUCKET)
      // Twice as many chunks as a page holds, in documents large and small, and every third of them replaced.
      for (let number = 0; number < 120; number++) {
        writer.replace(documentOf(KB, `d${number}`), manyChunks(random, number % 4 === 0 ? 200 : 10))
      }
      for (let number = 0; number < 120; number += 3) {
        writer.replace(documentOf(KB, `d${number}`, { version: 2 }), manyChunks(random, 30))
      }
      const { reader } = openTestReader(directory)
      const questions = Array.from({ length: 6 }, () => ({
        tokens: randomTokens(random),
        vector: randomVector(random)
      }))
      const answers = () =>
        questions.map(({ tokens, vector }) => [
          reader.lexical({ tokens, scope, limit: 50 }, CALL),
          reader.lexical({ tokens, scope: { ...scope, metadata: { language: 'zh' } }, limit: 50 }, CALL),
          reader.statistics({ terms: tokens, scope }, CALL),
          reader.vector({ vector, scope, limit: 50 }, CALL)
        ])
      const before = answers()
      let steps = 0
      while (writer.compactStep('idle')) {
        steps++
        expect(answers()).toEqual(before)
      }
      expect(steps).toBeGreaterThan(32)
      expect(writer.compactStep('idle')).toBe(false)
      const tables = tablesOf(directory)
      expect(tables.due).toBe(0)
      expect(tables.dead).toBeLessThan(tables.pages * 4096 * 0.25)
      expect(tables.runs).toBeLessThan(tables.pages * 8)
      reader.close()
      writer.close()
    })
  })

  it('gives all of a knowledge base back when its last document is deleted', async () => {
    await withIndex(async (open, directory) => {
      const index = await open()
      const random = new Random(3)
      await index.writer.replaceDocument(documentOf(KB, 'd'), manyChunks(random, 5000))
      await index.compact()
      expect(tablesOf(directory)).toMatchObject({ pages: 2, dead: 0 })
      await index.writer.deleteDocument(KB, 'd')
      await index.compact()
      expect(tablesOf(directory)).toEqual({ pages: 0, dead: 0, runs: 0, due: 0, postings: 0 })
      await index.writer.replaceDocument(documentOf(KB, 'd'), manyChunks(random, 3))
      expect((await index.vector.search({ vector: randomVector(random), scope, limit: 9 })).hits).toHaveLength(3)
    })
  })

  it('keeps pages few while one small document is replaced a thousand times', async () => {
    await withIndex(async (open, directory) => {
      const index = await open()
      const memory = new MemoryIndex(TEST_DIMENSION)
      const random = new Random(4)
      for (let version = 1; version <= 1000; version++) {
        const chunks = manyChunks(random, 9)
        const document = documentOf(KB, 'd', { version })
        await index.writer.replaceDocument(document, chunks)
        await memory.writer.replaceDocument(document, chunks)
      }
      await index.compact()
      expect(tablesOf(directory).pages).toBeLessThanOrEqual(2)
      expect(await differenceIn(index, memory, randomScope(random, [KB], ['d']), random)).toBe(null)
    })
  })

  it('is resumed by another writer where one was stopped', async () => {
    await inTemporaryFolder(async (directory) => {
      const options = { directory, fingerprint: testFingerprint, busyTimeoutMs: 1000 }
      const random = new Random(5)
      const first = openWriter(options, ONE_BUCKET)
      first.replace(documentOf(KB, 'd'), chunksOf(manyChunks(random, 2000)))
      first.replace(documentOf(KB, 'e'), chunksOf(manyChunks(random, 2200)))
      first.compactStep('idle')
      const second = openWriter(options, ONE_BUCKET)
      while (second.compactStep('idle')) first.compactStep('busy')
      expect(first.compactStep('idle')).toBe(false)
      expect(tablesOf(directory)).toMatchObject({ pages: 2, due: 0 })
      first.close()
      second.close()
    })
  })
})

function run(first: number, slots: number, granularity: Run['granularity'] = 'coarse'): Run {
  return { first, slots, granularity }
}

function page(runs: readonly Run[], rest: Partial<PageCondition> = {}): PageCondition {
  return { used: 1000, dead: 0, closed: false, runs, ...rest }
}

describe('what a page needs', () => {
  it('is nothing while its runs are few', () => {
    expect(workOf(page([run(0, 600, 'fine'), run(600, 20), run(620, 30)]))).toBe(WORK_NONE)
    expect(workOf(page([run(0, 1000, 'fine')], { closed: true }))).toBe(WORK_NONE)
  })

  it('is to settle when some runs are left over, and to merge when they are many or large', () => {
    const four = [0, 20, 40, 60].map((first) => run(first, 20))
    expect(workOf(page(four))).toBe(WORK_SETTLE)
    expect(mergeOf(page(four))).toEqual({ from: 0, to: 80, granularity: 'coarse' })
    const sixteen = Array.from({ length: 16 }, (_, index) => run(index * 2, 2))
    expect(workOf(page(sixteen))).toBe(WORK_MERGE)
    expect(mergeOf(page([run(0, 200), run(200, 100)]))).toEqual({ from: 0, to: 300, granularity: 'fine' })
    expect(workOf(page([run(0, 900, 'fine'), run(900, 100)], { closed: true }))).toBe(WORK_MERGE)
  })

  it('is to move when more than a quarter of a closed page is dead, and to go when all of it is', () => {
    const runs = [run(0, 1000, 'fine')]
    expect(workOf(page(runs, { closed: true, dead: 250 }))).toBe(WORK_NONE)
    expect(workOf(page(runs, { closed: true, dead: 251 }))).toBe(WORK_MOVE)
    expect(workOf(page(runs, { dead: 999 }))).toBe(WORK_NONE)
    expect(workOf(page(runs, { dead: 1000 }))).toBe(WORK_REMOVE)
  })
})
