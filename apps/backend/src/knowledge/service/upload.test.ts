import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noForm, pieces, ServiceBench, toBeIndexed } from '../test-material/service-bench.ts'
import { needsShared, readShared, sharedIsAbsent } from '../test-material/shared-files.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open()
})
afterAll(() => bench.close())

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half')
  throw new Error('connection reset')
}

function codeOf(attempt: PromiseSettledResult<unknown>): string {
  return attempt.status === 'rejected' ? (attempt.reason as { readonly code: string }).code : 'none'
}

const incoming = () => readdirSync(join(bench.folder, 'files', 'incoming'))

describe('a file that arrives', () => {
  it('lies in the data folder under a name of its own, whole, with its hash', async () => {
    const bytes = Buffer.alloc(100_000, 'text ')
    const file = await bench.service.receive('../a.md', pieces(bytes))
    expect(file).toMatchObject({
      fileName: '../a.md',
      byteSize: 100_000,
      sha256: expect.stringMatching(/^[\da-f]{64}$/)
    })
    expect(file.path.startsWith(join(bench.folder, 'files', 'incoming'))).toBe(true)
    expect(readFileSync(file.path).equals(bytes)).toBe(true)
    await bench.service.discard([file])
    expect(incoming()).toEqual([])
  })

  it('is refused as soon as it is too large, and nothing is left of it', async () => {
    let sent = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; ; sent++) yield Buffer.alloc(1024 * 1024)
    }
    await expect(bench.service.receive('a.md', endless())).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(sent).toBe(20)
    expect(incoming()).toEqual([])
  })

  it('leaves nothing when the sender breaks off', async () => {
    await expect(bench.service.receive('a.md', broken())).rejects.toThrow('connection reset')
    expect(incoming()).toEqual([])
  })
})

describe('an upload', () => {
  it('keeps the bytes as they came, and answers with the document', async () => {
    const of = await bench.owner()
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from('# 数据库\r\n')])
    const form = { ...noForm, project: 'billing', errorCodes: ['E_1'] }
    const { document, task, documents, refused } = await bench.upload(of, ['数据库手册.md', bytes], form)
    expect(task).toBe(null)
    expect(documents).toEqual([{ document, task }])
    expect(refused).toEqual([])
    expect(document).toMatchObject({
      fileName: '数据库手册.md',
      mediaType: 'text/markdown',
      format: 'markdown',
      version: 1,
      indexedVersion: null,
      status: 'active',
      indexStatus: 'pending',
      attributes: { knowledgeType: null, project: 'billing', equipment: null, errorCodes: ['E_1'] },
      tenantId: of.caller.tenantId
    })
    const content = await bench.service.content(of.caller, document.id)
    expect(readFileSync(content.path).equals(bytes)).toBe(true)
    expect(content).toMatchObject({ fileName: '数据库手册.md', mediaType: 'text/markdown', byteSize: bytes.length })
    expect(incoming()).toEqual([])
  })

  it('of the same bytes again names the document that holds them, in the same base only', async () => {
    const of = await bench.owner()
    const { document } = await bench.upload(of, ['a.md', 'the same'])
    await expect(bench.upload(of, ['b.md', 'the same'])).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { documentId: document.id }
    })
    const { id: baseId } = await bench.service.createBase(of.caller, { name: 'other', description: '' })
    expect((await bench.upload({ ...of, baseId }, ['a.md', 'the same'])).document.id).not.toBe(document.id)
  })

  it('of the same bytes twenty times at once stores one document', async () => {
    const of = await bench.owner()
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => bench.upload(of, [`${at}.md`, 'raced'], toBeIndexed))
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const codes = attempts.filter(({ status }) => status === 'rejected').map((attempt) => codeOf(attempt))
    expect(new Set(codes)).toEqual(new Set(['CONFLICT']))
    expect(await bench.service.documents(of.caller, of.baseId, { limit: 5 })).toMatchObject({ total: 1 })
  })

  it.each([
    ['evil.md.exe', 'MZ', 'UNSUPPORTED_MEDIA_TYPE'],
    ['noextension', 'text', 'UNSUPPORTED_MEDIA_TYPE'],
    ['empty.md', '', 'DOCUMENT_UNREADABLE'],
    ['page.pdf', '<!doctype html><p>log in</p>', 'DOCUMENT_UNREADABLE'],
    ['report.md', '%PDF-1.7 …', 'DOCUMENT_UNREADABLE'],
    ['..', 'text', 'VALIDATION_FAILED']
  ])('%s is refused at once and leaves nothing', async (name, content, code) => {
    const of = await bench.owner()
    const file = await bench.receive(name, content)
    await expect(bench.service.upload(of.caller, of.baseId, noForm, [file])).rejects.toMatchObject({ code })
    await bench.service.discard([file])
    expect(await bench.service.documents(of.caller, of.baseId, { limit: 5 })).toMatchObject({ total: 0 })
    expect(incoming()).toEqual([])
  })

  it('of several files takes those that are good and names those that are not', async () => {
    const of = await bench.owner()
    const files = [
      await bench.receive('picture.png', 'x'),
      await bench.receive('b/good.md', 'good words'),
      await bench.receive('same.md', 'good words'),
      await bench.receive('GOOD.TXT', 'other words')
    ]
    const answer = await bench.service.upload(of.caller, of.baseId, toBeIndexed, files)
    expect(answer.documents.map(({ document }) => document.fileName)).toEqual(['good.md', 'GOOD.TXT'])
    expect(answer.document).toEqual(answer.documents[0]!.document)
    expect(answer.task).toEqual(answer.documents[0]!.task)
    expect(answer.refused.map(({ fileName, code }) => [fileName, code])).toEqual([
      ['picture.png', 'UNSUPPORTED_MEDIA_TYPE'],
      ['same.md', 'CONFLICT']
    ])
    expect(answer.refused[1]!.details).toEqual({ documentId: answer.document.id })
    await bench.service.discard(files)
    const [first] = answer.documents
    expect(existsSync((await bench.service.content(of.caller, first!.document.id)).path)).toBe(true)
  })

  it('without a file is not valid', async () => {
    const of = await bench.owner()
    const nothing = bench.service.upload(of.caller, of.baseId, noForm, [])
    await expect(nothing).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

describe.skipIf(sharedIsAbsent)(`names that were reported${needsShared}`, () => {
  it('are stored under an id, come back as they are shown, and reach nothing outside', async () => {
    const names = JSON.parse(Buffer.from(readShared('cases/peers/filenames.json')).toString()) as string[]
    const of = await bench.owner()
    const taken: string[] = []
    const refused: string[] = []
    for (const [at, name] of names.entries()) {
      const [attempt] = await Promise.allSettled([bench.upload(of, [name, `text ${at}`])])
      if (attempt.status === 'rejected') refused.push(codeOf(attempt))
      else taken.push(attempt.value.document.id)
    }
    expect(refused.filter((code) => !/UNSUPPORTED_MEDIA_TYPE|DOCUMENT_UNREADABLE/.test(code))).toEqual([])
    const contents = await Promise.all(taken.map((id) => bench.service.content(of.caller, id)))
    expect(contents.map(({ path }) => path)).toEqual(taken.map((id) => join(bench.folder, 'files', id, '1')))
    const shown = contents.map(({ fileName }) => fileName)
    expect(shown).toEqual(
      expect.arrayContaining(['数据库手册.md', '🔥 runbook 🚒.md', 'evil.md', 'UPPER.MD', 'CON.md'])
    )
    expect(shown.filter((name) => /[/\\\p{Cc}\u202E]/u.test(name))).toEqual([])
  })
})
