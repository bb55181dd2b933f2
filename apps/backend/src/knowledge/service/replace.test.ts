import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noForm, ServiceBench, toBeIndexed } from '../test-material/service-bench.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open()
})
afterAll(() => bench.close())

describe('a new version of a document', () => {
  it('that was never asked to be indexed is stored only', async () => {
    const of = await bench.owner()
    const { document } = await bench.upload(of, ['a.md', 'first'])
    const form = { ...noForm, title: 'Given later', project: 'edge' }
    const answer = await bench.service.replace(of.caller, document.id, form, await bench.receive('b.txt', 'second'))
    expect(answer.task).toBe(null)
    expect(answer.document).toMatchObject({
      id: document.id,
      version: 2,
      fileName: 'b.txt',
      format: 'text',
      title: 'Given later',
      attributes: { project: 'edge' },
      indexStatus: 'pending',
      createdAt: document.createdAt
    })
    const { path } = await bench.service.content(of.caller, document.id)
    expect(readFileSync(path, 'utf8')).toBe('second')
  })

  it('keeps the form fields that are not given again, and the files before it until it is indexed', async () => {
    const of = await bench.owner()
    const form = { ...toBeIndexed, project: 'billing', equipment: 'F5' }
    const { document, task } = await bench.upload(of, ['a.md', 'first words'], form)
    await bench.ended(task!.id)
    const file = await bench.receive('a.md', 'second words')
    const second = await bench.service.replace(of.caller, document.id, { ...noForm, project: 'ledger' }, file)
    expect(second.document).toMatchObject({ title: 'a', attributes: { project: 'billing' } })
    expect(await bench.service.documents(of.caller, of.baseId, { limit: 1, name: 'A.MD' })).toMatchObject({ total: 1 })
    await bench.ended(second.task!.id)
    expect(await bench.service.document(of.caller, document.id)).toMatchObject({
      indexedVersion: 2,
      attributes: { project: 'ledger', equipment: 'F5' }
    })
    await bench.idle()
    expect(readdirSync(join(bench.folder, 'files', document.id))).toEqual(['2'])
    expect(await bench.service.text(of.caller, document.id, 1)).toMatchObject({ version: 1, text: 'first words' })
  })

  it('goes on to take error codes from the text until it is told not to', async () => {
    const of = await bench.owner()
    const { document } = await bench.upload(of, ['a.md', 'first'], { ...noForm, detectErrorCodes: true })
    const detects: unknown[] = []
    for (const form of [noForm, { ...noForm, detectErrorCodes: false }, noForm]) {
      const file = await bench.receive('a.md', `version ${detects.length}`)
      const { document: next } = await bench.service.replace(of.caller, document.id, form, file)
      const stored = await bench.store.documents.version(document.id, next.version)
      detects.push(stored?.form.detectErrorCodes)
    }
    expect(detects).toEqual([true, false, false])
  })

  it('must be other bytes than its own and than any other document’s of the base', async () => {
    const of = await bench.owner()
    const a = await bench.upload(of, ['a.md', 'a'])
    const b = await bench.upload(of, ['b.md', 'b'])
    for (const [content, documentId] of [
      ['a', a.document.id],
      ['b', b.document.id]
    ] as const) {
      const file = await bench.receive('a.md', content)
      await expect(bench.service.replace(of.caller, a.document.id, noForm, file)).rejects.toMatchObject({
        code: 'CONFLICT',
        details: { documentId }
      })
      await bench.service.discard([file])
    }
    expect(await bench.service.document(of.caller, a.document.id)).toMatchObject({ version: 1 })
  })

  it('that can not be read changes nothing', async () => {
    const of = await bench.owner()
    const { document } = await bench.upload(of, ['a.md', 'a'])
    const file = await bench.receive('a.pdf', 'no pdf')
    const replacing = bench.service.replace(of.caller, document.id, noForm, file)
    await expect(replacing).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' })
    expect(await bench.service.document(of.caller, document.id)).toEqual(document)
  })

  it('has a number of its own when several come at once', async () => {
    const of = await bench.owner()
    const { document } = await bench.upload(of, ['a.md', 'start'])
    const contents = Array.from({ length: 8 }, (_, at) => `content ${at}`)
    await Promise.all(
      contents.map(async (content) =>
        bench.service.replace(of.caller, document.id, toBeIndexed, await bench.receive('a.md', content))
      )
    )
    await bench.idle()
    const last = await bench.service.document(of.caller, document.id)
    expect(last).toMatchObject({ version: 9, indexedVersion: 9, indexStatus: 'indexed' })
    const { path } = await bench.service.content(of.caller, document.id)
    expect(await bench.found(of.caller, of.baseId, 'content')).toEqual([readFileSync(path, 'utf8')])
  })
})
