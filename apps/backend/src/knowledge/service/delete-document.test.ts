import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PortError } from '@oncall-agent/retrieval'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noForm, ServiceBench, toBeIndexed, withWriter } from '../test-material/service-bench.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open()
})
afterEach(() => {
  bench.embedder.fault = undefined
})
afterAll(() => bench.close())

async function unreachable(_: unknown, subject: string): Promise<never> {
  throw new PortError('unavailable', { operation: 'delete', subject, reason: 'down' })
}

describe('a deleted document', () => {
  it('is not found when deleting answers, and is gone from everywhere soon after', async () => {
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', 'gone words')
    const other = await bench.indexed(of, 'b.md', 'kept words')
    await bench.service.deleteDocument(of.caller, id)
    expect(await bench.found(of.caller, of.baseId, 'words')).toEqual(['kept words'])
    expect(await bench.store.documents.deletedAmong([id, other, 'unknown'])).toEqual(new Set([id]))
    for (const ask of [
      () => bench.service.document(of.caller, id),
      () => bench.service.content(of.caller, id),
      () => bench.service.chunks(of.caller, id, { limit: 5 }),
      () => bench.service.deleteDocument(of.caller, id),
      () => bench.service.createTask(of.caller, id)
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    expect(await bench.service.documents(of.caller, of.baseId, { limit: 5 })).toMatchObject({ total: 1 })
    expect((await bench.service.base(of.caller, of.baseId)).documents).toMatchObject({ total: 1, indexed: 1 })
    await bench.idle()
    expect(existsSync(join(bench.folder, 'files', id))).toBe(false)
    expect(await bench.store.documents.text(id, 1)).toBeUndefined()
    expect(existsSync(join(bench.folder, 'files', other))).toBe(true)
  })

  it('may be uploaded again', async () => {
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', 'again words')
    await bench.service.deleteDocument(of.caller, id)
    expect(await bench.indexed(of, 'a.md', 'again words')).not.toBe(id)
    expect(await bench.found(of.caller, of.baseId, 'words')).toEqual(['again words'])
  })

  it('is never published by the task that runs meanwhile', async () => {
    const of = await bench.owner()
    // Some deletions hit the embedding, some the publishing, some what comes after.
    for (const wait of [0, 5, 10, 20, 40, 60, 80]) {
      bench.embedder.fault = () => sleep(20)
      const { document, task } = await bench.upload(of, [`${wait}.md`, `raced words ${wait}`], toBeIndexed)
      await sleep(wait)
      await bench.service.deleteDocument(of.caller, document.id)
      expect(await bench.found(of.caller, of.baseId, 'raced')).toEqual([])
      expect((await bench.ended(task!.id)).status).toMatch(/cancelled|succeeded/)
    }
    await bench.idle()
    expect(await bench.found(of.caller, of.baseId, 'raced')).toEqual([])
    expect(await bench.index.writer.listDocuments({ ...of.caller, knowledgeBaseId: of.baseId })).toEqual([])
  })

  it('stays deleted when the index can not be reached, and is removed there when it can', async () => {
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', 'stubborn words')
    const broken = await ServiceBench.open({
      working: false,
      store: bench.store,
      index: withWriter(bench.index, { deleteDocument: unreachable }),
      locks: bench.parts.locks,
      dataDirectory: bench.folder,
      onEnqueued: bench.parts.onEnqueued
    })
    await broken.service.deleteDocument(of.caller, id)
    expect(await bench.store.documents.deletedAmong([id])).toEqual(new Set([id]))
    await bench.idle()
    expect(await bench.found(of.caller, of.baseId, 'stubborn')).toEqual([])
    await broken.close()
  })
})

describe('a deleted base', () => {
  it('takes all its documents with it, and frees its name', async () => {
    const of = await bench.owner()
    const ids = [await bench.indexed(of, 'a.md', 'base words a'), await bench.indexed(of, 'b.md', 'base words b')]
    bench.embedder.fault = () => sleep(100)
    const { document, task } = await bench.upload(of, ['c.md', 'base words c'], toBeIndexed)
    const waiting = await bench.upload(of, ['d.md', 'base words d'], noForm)
    await bench.service.deleteBase(of.caller, of.baseId)
    const all = [...ids, document.id, waiting.document.id]
    expect(await bench.store.documents.deletedAmong(all)).toEqual(new Set(all))
    await expect(bench.service.base(of.caller, of.baseId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(bench.service.document(of.caller, ids[0]!)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const file = await bench.receive('e.md', 'late')
    await expect(bench.service.upload(of.caller, of.baseId, noForm, [file])).rejects.toMatchObject({
      code: 'NOT_FOUND'
    })
    await bench.service.createBase(of.caller, { name: 'runbooks', description: '' })
    await bench.idle()
    expect(await bench.store.indexTasks.find(task!.id)).toMatchObject({ status: 'cancelled' })
    expect(await bench.index.writer.listDocuments({ ...of.caller, knowledgeBaseId: of.baseId })).toEqual([])
    for (const id of all) expect(existsSync(join(bench.folder, 'files', id))).toBe(false)
  })
})
