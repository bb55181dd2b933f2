import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../auth/index.ts'
import { documentOf, pairOf, plainChunks } from '@oncall-agent/retrieval/conformance'
import { noForm, ServiceBench, toBeIndexed } from '../test-material/service-bench.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open()
})
afterAll(() => bench.close())

const page = { limit: 10 }

/** Everything that can be asked of a base, a document and a task by id. */
function reads(caller: Caller, ids: { baseId: string; documentId: string; taskId: string }) {
  const { service } = bench
  return {
    base: () => service.base(caller, ids.baseId),
    documents: () => service.documents(caller, ids.baseId, page),
    baseTasks: () => service.baseTasks(caller, ids.baseId, page),
    document: () => service.document(caller, ids.documentId),
    content: () => service.content(caller, ids.documentId),
    text: () => service.text(caller, ids.documentId, undefined),
    chunks: () => service.chunks(caller, ids.documentId, page),
    documentTasks: () => service.documentTasks(caller, ids.documentId, page),
    task: () => service.task(caller, ids.taskId)
  }
}

async function writes(caller: Caller, ids: { baseId: string; documentId: string; taskId: string }) {
  const { service } = bench
  const file = await bench.receive('w.md', 'written by another')
  return {
    changeBase: () => service.changeBase(caller, ids.baseId, { name: 'mine now' }),
    deleteBase: () => service.deleteBase(caller, ids.baseId),
    readers: () => service.readers(caller, ids.baseId, page),
    addReader: () => service.addReader(caller, ids.baseId, caller.userId),
    removeReader: () => service.removeReader(caller, ids.baseId, caller.userId),
    upload: () => service.upload(caller, ids.baseId, noForm, [file]),
    replace: () => service.replace(caller, ids.documentId, noForm, file),
    deleteDocument: () => service.deleteDocument(caller, ids.documentId),
    createTask: () => service.createTask(caller, ids.documentId),
    retryTask: () => service.retryTask(caller, ids.taskId),
    cancelTask: () => service.cancelTask(caller, ids.taskId)
  }
}

describe('another tenant', () => {
  it('finds nothing under ids that are not theirs, and changes nothing', async () => {
    const of = await bench.owner()
    const { document, task } = await bench.upload(of, ['a.md', 'private words'], toBeIndexed)
    await bench.ended(task!.id)
    const ids = { baseId: of.baseId, documentId: document.id, taskId: task!.id }
    const before = await bench.service.document(of.caller, document.id)
    for (const stranger of [await bench.person(), await bench.person('admin')]) {
      const all = { ...reads(stranger, ids), ...(await writes(stranger, ids)) }
      for (const [name, ask] of Object.entries(all)) {
        await expect(ask(), name).rejects.toMatchObject({ code: 'NOT_FOUND' })
      }
    }
    expect(await bench.service.document(of.caller, document.id)).toEqual(before)
    expect(await bench.found(of.caller, of.baseId, 'private')).toHaveLength(1)
  })

  it('has the same names and the same bytes without knowing', async () => {
    const [one, two] = [await bench.owner(), await bench.owner()]
    const ids = await Promise.all([one, two].map((of) => bench.indexed(of, 'a.md', 'the same words')))
    await bench.service.deleteDocument(one.caller, ids[0]!)
    expect(await bench.found(one.caller, one.baseId, 'words')).toEqual([])
    expect(await bench.found(two.caller, two.baseId, 'words')).toEqual(['the same words'])
    expect((await bench.service.bases(two.caller, page)).total).toBe(1)
  })
})

describe('somebody with whom a base is shared', () => {
  it('reads all of it and changes nothing, until that is ended', async () => {
    const of = await bench.owner()
    const { document, task } = await bench.upload(of, ['a.md', 'shared words'], toBeIndexed)
    await bench.ended(task!.id)
    const ids = { baseId: of.baseId, documentId: document.id, taskId: task!.id }
    const reader = await bench.person()
    const granted = await bench.service.addReader(of.caller, of.baseId, `PERSON${reader.userId.split('-')[1]}`)
    expect(granted).toMatchObject({ userId: reader.userId })
    expect(await bench.service.addReader(of.caller, of.baseId, reader.userId)).toEqual(granted)
    expect(await bench.service.readers(of.caller, of.baseId, page)).toMatchObject({ items: [granted], total: 1 })

    for (const [name, ask] of Object.entries(reads(reader, ids))) await expect(ask(), name).resolves.toBeDefined()
    for (const [name, ask] of Object.entries(await writes(reader, ids))) {
      await expect(ask(), name).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
    }
    expect(await bench.service.base(reader, of.baseId)).toMatchObject({ access: 'reader', origin: 'uploads' })
    expect((await bench.service.bases(reader, page)).items.map(({ id }) => id)).toEqual([of.baseId])

    await bench.service.removeReader(of.caller, of.baseId, reader.userId)
    await expect(bench.service.document(reader, document.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(bench.service.removeReader(of.caller, of.baseId, reader.userId)).rejects.toMatchObject({
      code: 'NOT_FOUND'
    })
  })

  it('is somebody else, who exists', async () => {
    const of = await bench.owner()
    await expect(bench.service.addReader(of.caller, of.baseId, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(bench.service.addReader(of.caller, of.baseId, of.caller.userId)).rejects.toMatchObject({
      code: 'CONFLICT'
    })
  })
})

describe('a base that a folder fills', () => {
  it('is read by administrators, with what the index knows, and changed by nobody', async () => {
    const base = await bench.store.knowledgeBases.ensure('local', 'default')
    const pair = pairOf('local', base.id)
    for (const [id, source] of [
      ['d1', 'runbooks/disk.md'],
      ['d2', 'runbooks/网关.md']
    ] as const) {
      const metadata = { format: 'markdown', folder: '/srv/runbooks', project: 'edge' }
      const document = documentOf(pair, id, { source, metadata, createdAt: Number(id.slice(1)) })
      const chunks = plainChunks([`words of ${source}`], bench.embedder.fingerprint.dimension)
      await bench.index.writer.replaceDocument(document, chunks)
    }
    const admin = await bench.person('admin')
    const view = await bench.service.base(admin, base.id)
    expect(view).toMatchObject({ origin: 'folder', access: 'reader', documents: { total: 2, indexed: 2 } })
    expect((await bench.service.bases(admin, page)).items).toContainEqual(view)

    const first = await bench.service.documents(admin, base.id, { limit: 1 })
    expect(first).toMatchObject({ total: 2, items: [{ id: 'd2', fileName: 'runbooks/网关.md', chunkCount: 1 }] })
    const second = await bench.service.documents(admin, base.id, { limit: 1, cursor: first.nextCursor! })
    expect(second).toMatchObject({ items: [{ id: 'd1', metadata: { project: 'edge' } }], nextCursor: null })
    expect(JSON.stringify(second)).not.toContain('/srv')
    expect(await bench.service.documents(admin, base.id, { limit: 5, name: 'DISK' })).toMatchObject({ total: 1 })
    expect(await bench.service.documents(admin, base.id, { limit: 5, indexStatus: 'failed' })).toMatchObject({
      total: 0
    })

    expect(await bench.service.document(admin, 'd1')).toMatchObject({ format: 'markdown', indexStatus: 'indexed' })
    const { items } = await bench.service.chunks(admin, 'd1', page)
    expect(items).toMatchObject([{ content: 'words of runbooks/disk.md' }])
    expect(await bench.service.text(admin, 'd1', undefined)).toMatchObject({ text: 'words of runbooks/disk.md' })
    const { version } = await bench.service.document(admin, 'd1')
    await expect(bench.service.text(admin, 'd1', version + 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const inFolder = { code: 'NOT_FOUND', message: expect.stringContaining('folder') as unknown }
    await expect(bench.service.content(admin, 'd1')).rejects.toMatchObject(inFolder)
    const file = await bench.receive('w.md', 'written')
    for (const write of [
      () => bench.service.upload(admin, base.id, noForm, [file]),
      () => bench.service.deleteDocument(admin, 'd1'),
      () => bench.service.createTask(admin, 'd1'),
      () => bench.service.deleteBase(admin, base.id)
    ]) {
      await expect(write()).rejects.toMatchObject({
        code: 'AUTH_FORBIDDEN',
        message: expect.stringContaining('oncall index')
      })
    }
    const member = await bench.person()
    await expect(bench.service.base(member, base.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(bench.service.document(member, 'd1')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
