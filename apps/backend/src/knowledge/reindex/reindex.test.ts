import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { KnowledgeIndex, ReadablePair } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acquireRunLock } from '../../store/index.ts'
import { compareFactsWithIndex } from '../service/compare-facts-with-index.ts'
import { storedFile } from '../document-files.ts'
import { HashEmbedder } from '../test-material/indexing-bench.ts'
import { found, ReindexBench } from '../test-material/reindex-bench.ts'
import { noForm } from '../test-material/service-bench.ts'

let bench: ReindexBench
let of: Awaited<ReturnType<ReindexBench['service']['owner']>>
let uploads: ReadablePair
const opened: KnowledgeIndex[] = []
const OTHER = new HashEmbedder('other')

beforeEach(async () => {
  bench = await ReindexBench.open()
  of = await bench.service.owner()
  uploads = { tenantId: of.caller.tenantId, knowledgeBaseId: of.baseId }
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((index) => index.close()))
  await bench.close()
})

async function openWith(embedder: HashEmbedder): Promise<KnowledgeIndex> {
  const index = await bench.openWith(embedder)
  opened.push(index)
  return index
}

function diskFull(): never {
  throw new Error('the disk is full')
}

describe('an index that is made anew with another model', () => {
  it('holds all uploads and all documents of the folder, agrees with the facts, and refuses the old model', async () => {
    await bench.service.indexed(of, 'a.md', 'shared upload one')
    await bench.service.indexed(of, 'b.txt', 'shared upload two')
    bench.put('disk.md', '# Disk\n\nshared file one')
    const { pair } = await bench.indexFolder()

    const report = await bench.reindex(OTHER)
    expect(report).toMatchObject({ documents: 3, chunks: 3, fromFiles: 3, fromOldIndex: 0, alreadyDone: 0, failed: [] })
    const index = await openWith(OTHER)
    expect(await found(index, uploads, 'shared')).toEqual(['shared upload one', 'shared upload two'])
    expect(await found(index, pair, 'shared')).toEqual(['shared file one'])
    expect(await index.verify()).toEqual([])
    expect(await compareFactsWithIndex(bench.service.store, index.writer)).toEqual([])
    await expect(found(bench.index, uploads, 'shared')).rejects.toMatchObject({ failure: 'model-mismatch' })

    // What it made is what indexing makes: there is nothing left to do.
    expect((await bench.indexFolder(index, OTHER)).report).toMatchObject({ unchanged: 1, indexed: 0, replaced: 0 })
  })

  it('holds what is in the old one alone: files that are gone, unreadable or changed stored bytes', async () => {
    bench.put('gone.md', 'words of a file that goes')
    bench.put('stays.md', 'words of a file that stays')
    const { pair } = await bench.indexFolder()
    const damaged = await bench.service.indexed(of, 'd.md', 'words of an upload')
    rmSync(join(bench.folder, 'gone.md'))
    rmSync(storedFile(bench.service.folder, { documentId: damaged, version: 1 }))

    const report = await bench.reindex(OTHER)
    expect(report).toMatchObject({ documents: 3, fromFiles: 1, fromOldIndex: 2, failed: [] })
    expect(report.warnings.map(({ path }) => path).toSorted()).toEqual(['d.md', 'runbooks/gone.md'])
    const index = await openWith(OTHER)
    expect(await found(index, pair, 'goes')).toEqual(['words of a file that goes'])
    expect(await found(index, uploads, 'upload')).toEqual(['words of an upload'])
    expect(await compareFactsWithIndex(bench.service.store, index.writer)).toEqual([])

    bench.put('gone.md', 'words of a file that goes')
    expect((await bench.indexFolder(index, OTHER)).report).toMatchObject({ unchanged: 1, replaced: 1 })
  })

  it('leaves out what is deleted or known to nobody, and brings back what the old one had lost', async () => {
    const lost = await bench.service.indexed(of, 'lost.md', 'lost words')
    const kept = await bench.service.indexed(of, 'kept.md', 'kept words')
    const [listed] = (await bench.index.writer.listDocuments(uploads)).filter(({ documentId }) => documentId === kept)
    await bench.index.writer.deleteDocument(uploads, lost)
    const vector = (await new HashEmbedder().embedQuery('x')).vector
    const chunk = {
      sequence: 0,
      headingPath: [],
      content: 'stray',
      start: 0,
      end: 5,
      metadata: {},
      vector,
      tokenCount: 1
    }
    await bench.index.writer.replaceDocument({ ...listed!, documentId: 'stray' }, [chunk])

    expect(await bench.reindex(OTHER)).toMatchObject({ documents: 2, leftOut: 1, failed: [] })
    const index = await openWith(OTHER)
    expect(await found(index, uploads, 'words')).toEqual(['kept words', 'lost words'])
    expect(await found(index, uploads, 'stray')).toEqual([])
  })

  it('with other settings of chunks says so in the facts, too', async () => {
    const id = await bench.service.indexed(of, 'long.md', 'One sentence of words. '.repeat(200))
    const before = await bench.service.store.documents.find(id)
    const { settings } = bench.service.parts
    const chunking = { ...settings.chunking, size: 200, overlap: 0, unit: 'characters' as const }
    await bench.reindex(OTHER, { settings: { ...settings, chunking } })
    const after = await bench.service.store.documents.find(id)
    expect(after!.chunkCount).toBeGreaterThan(before!.chunkCount)
    const index = await openWith(OTHER)
    expect(await compareFactsWithIndex(bench.service.store, index.writer)).toEqual([])
  })
})

describe('a rebuild that does not come to its end', () => {
  it('leaves the old index as it is, and the next one embeds only what is missing', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `d${at}.md`)
    for (const name of names) await bench.service.indexed(of, name, `shared words of ${name}`)
    const stop = new AbortController()
    const first = new HashEmbedder('other')
    first.fault = (_answers, batch) => {
      if (batch === 1) stop.abort(new Error('enough'))
    }
    await expect(bench.reindex(first, {}, { signal: stop.signal })).rejects.toThrow('enough')
    expect(await found(bench.index, uploads, 'shared')).toHaveLength(8)

    const second = new HashEmbedder('other')
    const report = await bench.reindex(second)
    expect(report).toMatchObject({ documents: 8, alreadyDone: 8 - second.batches.flat().length })
    expect(report.alreadyDone).toBeGreaterThanOrEqual(4)
    expect(await found(await openWith(OTHER), uploads, 'shared')).toHaveLength(8)
  })

  it('because the model fails, or because another process indexes, changes nothing', async () => {
    await bench.service.indexed(of, 'a.md', 'shared words')
    const broken = new HashEmbedder('other')
    broken.fault = () => [] as unknown[]
    await expect(bench.reindex(broken)).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    const lock = acquireRunLock(bench.service.folder)
    await expect(bench.reindex(OTHER)).rejects.toMatchObject({ code: 'DATA_LOCKED' })
    lock.release()
    expect(await found(bench.index, uploads, 'shared')).toEqual(['shared words'])
  })

  it('has what was deleted since taken out again', async () => {
    const id = await bench.service.indexed(of, 'a.md', 'shared one')
    await bench.service.indexed(of, 'b.md', 'shared two')
    const generations = bench.generations(OTHER)
    await expect(bench.reindex(OTHER, { generations: { ...generations, beginReplacement: diskFull } })).rejects.toThrow(
      'the disk is full'
    )
    await bench.service.service.deleteDocument(of.caller, id)
    expect(await bench.reindex(OTHER)).toMatchObject({ documents: 1, alreadyDone: 1 })
    expect(await found(await openWith(OTHER), uploads, 'shared')).toEqual(['shared two'])
  })
})

describe('what changes while an index is made anew', () => {
  it('is in the new one: uploads, new versions and deletions, up to the last moment', async () => {
    const { service } = bench
    const replaced = await service.indexed(of, 'replaced.md', 'shared old version')
    const deleted = await service.indexed(of, 'deleted.md', 'shared deleted')
    await service.indexed(of, 'stays.md', 'shared stays')
    const changes = [
      async () => void (await service.indexed(of, 'new.md', 'shared new')),
      async () => {
        const file = await service.receive('replaced.md', 'shared new version')
        const { task } = await service.service.replace(of.caller, replaced, noForm, file)
        await service.ended(task!.id)
      },
      () => service.service.deleteDocument(of.caller, deleted)
    ]
    const generations = bench.generations(OTHER)
    // Each second look is the one that finds nothing to do, or the last one, when nobody can write to the index.
    let looks = 0
    const listed = new Proxy(service.store.indexTasks, {
      get: (facts, name) =>
        name === 'openDocuments'
          ? async () => {
              looks++
              const open = await facts.openDocuments()
              if (looks % 2 === 0) await changes.shift()?.()
              return open
            }
          : Reflect.get(facts, name)
    })
    const store = { ...service.store, indexTasks: listed }
    await bench.reindex(OTHER, { store, generations })
    const index = await openWith(OTHER)
    expect(changes).toEqual([])
    expect(await found(index, uploads, 'shared')).toEqual(['shared new', 'shared new version', 'shared stays'])
    expect(await compareFactsWithIndex(service.store, index.writer)).toEqual([])
  })

  it('finds the index locked for the moment of the replacement, and goes into the new one after it', async () => {
    await bench.service.indexed(of, 'a.md', 'shared first')
    // The same model: a server that runs has the index open, and goes on writing.
    const same = new HashEmbedder()
    await bench.reindex(same)
    await bench.service.indexed(of, 'b.md', 'shared second')
    expect(await found(bench.index, uploads, 'shared')).toEqual(['shared first', 'shared second'])
    expect(await bench.index.verify()).toEqual([])
  })
})
