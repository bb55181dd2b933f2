import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentOf, entryOf, MemoryIndex, pairOf, plainChunks } from '@oncall-agent/retrieval/conformance'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acquireRunLock, type BusinessStore, openBusinessStore } from '../../store/index.ts'
import { bodiesIn, OutsideEngine } from '../test-material/search-engine.ts'
import { type FillProgress, fillSearchEngine } from './fill-search-engine.ts'
import { followIndex } from './follow-index.ts'

let dataDirectory: string
let store: BusinessStore
let index: MemoryIndex
let searchEngine: OutsideEngine
let home: ReturnType<typeof pairOf>
beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'oncall-fill-'))
  store = openBusinessStore(dataDirectory)
  index = new MemoryIndex(16)
  searchEngine = new OutsideEngine()
  home = pairOf('ana', (await store.knowledgeBases.ensure('ana', 'runbooks')).id)
})
afterEach(async () => {
  await store.close()
  rmSync(dataDirectory, { recursive: true })
})

async function write(documentId: string, body: string): Promise<void> {
  const entry = entryOf(home, documentId, { body, contentHash: body })
  await index.writer.replaceDocument(documentOf(home, documentId), plainChunks([body], 16), entry)
}

function fill(onProgress?: (progress: FillProgress) => void) {
  const watch = { signal: new AbortController().signal, ...(onProgress === undefined ? {} : { onProgress }) }
  return fillSearchEngine({ store, index, searchEngine, dataDirectory }, watch)
}

describe('filling a search engine', () => {
  it('gives it every entry of the index, and takes away what else it held', async () => {
    for (const id of ['a', 'b', 'c']) await write(id, `${id} words`)
    await searchEngine.replaceDocument(entryOf(pairOf('nobody', 'gone'), 'old', {}))
    const phases: FillProgress[] = []
    const report = await fill((progress) => phases.push(progress))
    expect(report).toMatchObject({ engine: 'memory', documents: 3, mended: 0 })
    expect(searchEngine.all()).toHaveLength(3)
    expect(bodiesIn(searchEngine, home)).toEqual({ a: 'a words', b: 'b words', c: 'c words' })
    expect(phases.map(({ phase, documents }) => `${phase} ${documents}`)).toEqual([
      'copying 0',
      'copying 1',
      'copying 2',
      'copying 3',
      'comparing 3',
      'done 3'
    ])
  })

  it('brings up to date behind it what a server writes while it is being filled', async () => {
    for (const id of ['a', 'b']) await write(id, `${id} words`)
    const entries = index.entries.bind(index)
    const indexWhile = new MemoryIndex(16)
    // Another process: it changes the index when the entries were read, and copies to the engine that is being replaced.
    Object.assign(indexWhile, {
      structured: index.structured,
      entry: index.entry.bind(index),
      entries: async function* () {
        yield* entries()
        await write('a', 'newer words')
        await write('late', 'late words')
        await index.writer.deleteDocument(home, 'b')
        for (const id of ['a', 'late', 'b']) await followIndex({ index, searchEngine }, home, id)
      }
    })
    const parts = { store, index: indexWhile, searchEngine, dataDirectory }
    const report = await fillSearchEngine(parts, { signal: new AbortController().signal })
    expect(report).toMatchObject({ documents: 2, mended: 3 })
    expect(bodiesIn(searchEngine, home)).toEqual({ a: 'newer words', late: 'late words' })
  })

  it('leaves the engine as it was when the index can not be read, and tells that as a fault of the index', async () => {
    await write('a', 'words')
    await searchEngine.replaceDocument(entryOf(home, 'old', { body: 'old' }))
    await index.close()
    await expect(fill()).rejects.toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      message: expect.not.stringMatching(/engine/)
    })
    expect(bodiesIn(searchEngine, home)).toEqual({ old: 'old' })
  })

  it('that is down, fails with a reason, and can be begun again', async () => {
    await write('a', 'words')
    searchEngine.isDown = true
    await expect(fill()).rejects.toMatchObject({
      message: expect.stringMatching(/^The search engine \(memory\) could not/)
    })
    searchEngine.isDown = false
    expect(await fill()).toMatchObject({ documents: 1 })
  })

  it('leaves out what it does not take, copies everything else, and says so at the end', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await write(id, `${id} words`)
    // As an earlier run of indexing wrote it, whoever it belongs to; and one that only the engine knows the fault of.
    const half = entryOf(home, 'b', { body: 'b words', project: 'a\ud800b' })
    await index.writer.replaceDocument(documentOf(home, 'b'), plainChunks(['b words'], 16), half)
    searchEngine.refuses = 'c'
    const phases: string[] = []
    await expect(fill(({ phase }) => phases.push(phase))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/2 documents were left out.* b \(.*half a character.* c \(/),
      details: { documents: [{ documentId: 'b' }, { documentId: 'c' }] }
    })
    expect(bodiesIn(searchEngine, home)).toEqual({ a: 'a words', d: 'd words' })
    expect(phases.at(-1)).toBe('done')
  })

  it('gives up on one that does not keep what it takes', async () => {
    await write('a', 'words')
    searchEngine.listDocuments = async () => []
    await expect(fill()).rejects.toMatchObject({ message: expect.stringContaining('still differs') })
  })

  it('is refused while something is indexed', async () => {
    const lock = acquireRunLock(dataDirectory)
    await expect(fill()).rejects.toMatchObject({ code: 'DATA_LOCKED' })
    lock.release()
  })
})
