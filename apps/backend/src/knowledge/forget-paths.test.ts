import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acquireRunLock } from '../store/index.ts'
import { forgetPaths } from './forget-paths.ts'
import { IndexingBench } from './test-material/indexing-bench.ts'
import { bodiesIn, OutsideEngine } from './test-material/search-engine.ts'

let bench: IndexingBench
beforeEach(async () => {
  bench = new IndexingBench()
  bench.put('a/disk.md', 'free space')
  bench.put('a/net.md', 'restart it')
  bench.put('ab/other.md', 'another folder whose name only begins alike')
  await bench.run()
})
afterEach(() => bench.close())

const knowledgeBase = { knowledgeBaseId: 'kb', tenantId: 'local', ownerUserId: 'ana' }
const forget = (...paths: string[]) =>
  forgetPaths({ paths, knowledgeBase, dataDirectory: join(bench.scratch, 'data') }, bench.index.writer)

describe('forgetting paths', () => {
  it('removes what was indexed from a folder that is gone, and nothing beside it', async () => {
    rmSync(join(bench.folder, 'a'), { recursive: true })
    expect(await forget(join(bench.folder, 'a'))).toEqual({ removed: ['runbooks/a/disk.md', 'runbooks/a/net.md'] })
    expect(Object.keys(await bench.contents())).toEqual(['runbooks/ab/other.md'])
  })

  it('removes one file by its path and leaves the file where it is', async () => {
    await forget(join(bench.folder, 'a/net.md'))
    expect(Object.keys(await bench.contents())).toEqual(['runbooks/a/disk.md', 'runbooks/ab/other.md'])
    expect((await bench.run()).indexed).toBe(1)
  })

  it('knows a folder by a link to it', async () => {
    symlinkSync(join(bench.folder, 'a'), join(bench.scratch, 'link'))
    expect((await forget(join(bench.scratch, 'link'))).removed).toHaveLength(2)
  })

  it('says so when nothing was indexed from one of the paths, and removes nothing then', async () => {
    await expect(forget(join(bench.folder, 'a'), '/no/such/place')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('/no/such/place')
    })
    expect(Object.keys(await bench.contents())).toHaveLength(3)
  })

  it('waits for no run of indexing: it is refused while one holds the folder', async () => {
    const lock = acquireRunLock(join(bench.scratch, 'data'))
    await expect(forget(bench.folder)).rejects.toMatchObject({ code: 'DATA_LOCKED' })
    lock.release()
  })
})

/** All of it in an engine, too, and a way to forget in both. */
async function copied() {
  const searchEngine = new OutsideEngine(16)
  for await (const entry of bench.index.entries()) await searchEngine.replaceDocument(entry)
  const again = (path: string) =>
    forgetPaths({ paths: [path], knowledgeBase, dataDirectory: join(bench.scratch, 'data') }, bench.index.writer, {
      index: bench.index,
      searchEngine
    })
  return { searchEngine, again }
}

describe('forgetting paths while the search engine is down', () => {
  it('says what is forgotten and what brings the engine to it', async () => {
    const { searchEngine, again } = await copied()
    searchEngine.isDown = true
    await expect(again(join(bench.folder, 'a'))).rejects.toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      hint: expect.stringContaining('oncall doctor --repair')
    })
    expect(Object.keys(await bench.contents())).toEqual(['runbooks/ab/other.md'])
    expect(Object.keys(bodiesIn(searchEngine, knowledgeBase))).toHaveLength(3)
  })

  it('is brought to an end by the same command, which finds nothing in the index any more', async () => {
    const { searchEngine, again } = await copied()
    searchEngine.isDown = true
    await expect(again(join(bench.folder, 'a'))).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    searchEngine.isDown = false
    await expect(again(join(bench.folder, 'a'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(Object.values(bodiesIn(searchEngine, knowledgeBase))).toEqual([
      'another folder whose name only begins alike'
    ])
  })
})
