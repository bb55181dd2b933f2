import type { DocumentWriter } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OutsideEngine } from '../test-material/search-engine.ts'
import { noForm, ServiceBench, toBeIndexed, withWriter } from '../test-material/service-bench.ts'
import { createIndexTaskHandler } from './index-task-handler.ts'
import type { IndexTaskParts } from '../knowledge-parts.ts'

/** What another process does in the moment between this one's looking and its publishing. */
let meanwhile: (() => Promise<unknown>) | undefined
let bench: ServiceBench
const searchEngine = new OutsideEngine()
/** Another process: the same facts and the same index, locks of its own. */
let other: ServiceBench

beforeAll(async () => {
  other = await ServiceBench.open({ working: false })
  const { writer } = other.index
  const slow: Partial<DocumentWriter> = {
    replaceDocument: async (document, given, entry) => {
      const act = meanwhile
      meanwhile = undefined
      await act?.()
      await writer.replaceDocument(document, given, entry)
    }
  }
  const { store, dataDirectory } = other.parts
  bench = await ServiceBench.open({
    store,
    dataDirectory,
    searchEngine,
    index: withWriter(other.index, slow),
    working: false
  })
})
afterAll(async () => {
  await bench.close()
  await other.close()
})

/** Does the task as a worker of a process would. */
async function work(parts: IndexTaskParts, taskId: string): Promise<void> {
  const handler = createIndexTaskHandler(parts)
  const job = { id: 'j', kind: handler.kind, tenantId: 't', subject: taskId, payload: {}, attempt: 1, maxAttempts: 1 }
  await other.store.transaction((tables) => handler.begin!(job, tables))
  await handler.run(job, new AbortController().signal)
  await other.store.transaction((tables) => handler.settle!(job, { status: 'done' }, tables))
}

describe('a process that dies between publishing and ending the task', () => {
  it('leaves a whole version, and the next one that takes the task up only writes down what is there', async () => {
    const of = await other.owner()
    const { document, task } = await other.upload(of, ['a.md', 'crashed words'], toBeIndexed)
    const died: IndexTaskParts = {
      ...bench.parts,
      store: { ...bench.parts.store, transaction: () => Promise.reject(new Error('killed')) }
    }
    await expect(work(died, task!.id)).rejects.toThrow('killed')
    expect(await other.found(of.caller, of.baseId, 'words')).toEqual(['crashed words'])
    expect(await other.service.document(of.caller, document.id)).toMatchObject({ indexedVersion: null })

    const embedded = bench.embedder.batches.length
    await work(bench.parts, task!.id)
    expect(bench.embedder.batches).toHaveLength(embedded)
    expect(await other.service.task(of.caller, task!.id)).toMatchObject({ status: 'succeeded' })
    expect(await other.service.document(of.caller, document.id)).toMatchObject({ indexedVersion: 1, chunkCount: 1 })
  })
})

describe('publishing, while another process', () => {
  it('deletes the document: what was published is taken away again', async () => {
    const of = await other.owner()
    const { document, task } = await other.upload(of, ['a.md', 'late words'], toBeIndexed)
    meanwhile = () => other.service.deleteDocument(of.caller, document.id)
    await work(bench.parts, task!.id)
    expect(await other.found(of.caller, of.baseId, 'words')).toEqual([])
    expect(await other.service.task(of.caller, task!.id)).toMatchObject({ status: 'cancelled' })
  })

  it('deletes the document, and the search engine can not be reached: the same', async () => {
    const of = await other.owner()
    const { task } = await other.upload(of, ['a.md', 'later words'], toBeIndexed)
    meanwhile = async () => {
      searchEngine.isDown = true
      await other.service.deleteDocument(of.caller, task!.documentId)
    }
    await expect(work(bench.parts, task!.id)).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    searchEngine.isDown = false
    expect(await other.found(of.caller, of.baseId, 'words')).toEqual([])
  })

  it('deletes the base: the same', async () => {
    const of = await other.owner()
    const { task } = await other.upload(of, ['a.md', 'late words'], toBeIndexed)
    meanwhile = () => other.service.deleteBase(of.caller, of.baseId)
    await work(bench.parts, task!.id)
    expect(await other.found(of.caller, of.baseId, 'words')).toEqual([])
  })

  it('cancels the task: the facts say what the index holds', async () => {
    const of = await other.owner()
    const { document, task } = await other.upload(of, ['a.md', 'late words'], toBeIndexed)
    meanwhile = () => other.service.cancelTask(of.caller, task!.id)
    await work(bench.parts, task!.id)
    expect(await other.service.task(of.caller, task!.id)).toMatchObject({ status: 'cancelled' })
    expect(await other.service.document(of.caller, document.id)).toMatchObject({
      indexedVersion: 1,
      indexStatus: 'indexed',
      chunkCount: 1
    })
    expect(await other.found(of.caller, of.baseId, 'words')).toEqual(['late words'])
  })

  it('has published a newer version: that one is indexed again', async () => {
    const of = await other.owner()
    const { document, task } = await other.upload(of, ['a.md', 'first words'], toBeIndexed)
    meanwhile = async () => {
      const file = await other.receive('a.md', 'second words')
      const newer = await other.service.replace(of.caller, document.id, noForm, file)
      await work(other.parts, newer.task!.id)
      expect(await other.found(of.caller, of.baseId, 'words')).toEqual(['second words'])
    }
    await work(bench.parts, task!.id)
    const { items } = await other.service.documentTasks(of.caller, document.id, { limit: 5 })
    expect(items.map(({ status, documentVersion }) => [status, documentVersion])).toEqual([
      ['pending', 2],
      ['succeeded', 2],
      ['cancelled', 1]
    ])
    await work(bench.parts, items[0]!.id)
    expect(await other.found(of.caller, of.baseId, 'words')).toEqual(['second words'])
    expect(await other.service.document(of.caller, document.id)).toMatchObject({ indexedVersion: 2 })
  })
})
