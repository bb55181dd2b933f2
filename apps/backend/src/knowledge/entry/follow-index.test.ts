import { documentOf, entryOf, MemoryIndex, pairOf, plainChunks } from '@oncall-agent/retrieval/conformance'
import { beforeEach, describe, expect, it } from 'vitest'
import { bodiesIn, OutsideEngine } from '../test-material/search-engine.ts'
import { alignEntries, compareEntries } from './compare-entries.ts'
import { followIndex, removeFromIndex } from './follow-index.ts'

const home = pairOf('ana', 'runbooks')
const other = pairOf('bob', 'runbooks')

let index: MemoryIndex
let searchEngine: OutsideEngine
beforeEach(() => {
  index = new MemoryIndex(16)
  searchEngine = new OutsideEngine()
})

async function write(documentId: string, body: string, pair = home): Promise<void> {
  const entry = entryOf(pair, documentId, { body, contentHash: body })
  await index.writer.replaceDocument(documentOf(pair, documentId), plainChunks([body], 16), entry)
}

const follow = (documentId: string) => followIndex({ index, searchEngine }, home, documentId)

describe('a search engine', () => {
  it('holds of a document what the index holds, and nothing of one that the index lost', async () => {
    await write('d', 'first')
    await follow('d')
    expect(bodiesIn(searchEngine, home)).toEqual({ d: 'first' })
    await write('d', 'second')
    await follow('d')
    expect(bodiesIn(searchEngine, home)).toEqual({ d: 'second' })
    await removeFromIndex({ index, searchEngine }, home, 'd')
    expect(bodiesIn(searchEngine, home)).toEqual({})
    expect(await index.entry(home, 'd')).toBe(undefined)
  })

  it('ends with the newest when another process writes and copies in the moment of copying', async () => {
    await write('d', 'first')
    searchEngine.meanwhile = async () => {
      await write('d', 'second')
      await follow('d')
      expect(bodiesIn(searchEngine, home)).toEqual({ d: 'second' })
    }
    await follow('d')
    expect(bodiesIn(searchEngine, home)).toEqual({ d: 'second' })
  })

  it('ends without the document when it is deleted in the moment of copying', async () => {
    await write('d', 'first')
    searchEngine.meanwhile = () => removeFromIndex({ index, searchEngine }, home, 'd')
    await follow('d')
    expect(bodiesIn(searchEngine, home)).toEqual({})
  })

  it('that is down is told in words without its address, and with what to do', async () => {
    await write('d', 'first')
    searchEngine.isDown = true
    const failure: unknown = await follow('d').catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      message: 'The search engine (memory) could not be brought up to date. Check that it runs.'
    })
  })

  it('is compared with the index by document, and brought to what that holds', async () => {
    for (const id of ['same', 'changed', 'missing']) await write(id, `${id} words`)
    await write('of another', 'words', other)
    await searchEngine.replaceDocument((await index.entry(home, 'same'))!)
    await searchEngine.replaceDocument(entryOf(home, 'changed', { contentHash: 'of before' }))
    await searchEngine.replaceDocument(entryOf(home, 'extra', {}))
    const found = await compareEntries({ index, searchEngine }, home)
    expect(Object.fromEntries(found.map(({ documentId, kind }) => [documentId, kind]))).toEqual({
      changed: 'other',
      missing: 'missing',
      extra: 'extra'
    })
    searchEngine.written.length = 0
    expect(await alignEntries({ index, searchEngine }, home)).toBe(3)
    expect(searchEngine.written.toSorted()).toEqual(['changed', 'missing'])
    expect(await compareEntries({ index, searchEngine }, home)).toEqual([])
    expect(bodiesIn(searchEngine, other)).toEqual({})
    expect(await alignEntries({ index }, home)).toBe(0)
  })
})
