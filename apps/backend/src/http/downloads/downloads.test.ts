import { rmSync, truncateSync } from 'node:fs'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { DocumentView } from '@oncall-agent/api-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StoredContent } from '../../knowledge/index.ts'
import { fakeKnowledge } from '../test-material/fake-knowledge.ts'
import { administrator, serve, type Served } from '../test-material/served.ts'
import { attachment } from './content-disposition.ts'

const bytes = Buffer.from('# 磁盘满了\n'.repeat(50_000))
const directory = mkdtempSync(join(tmpdir(), 'oncall-downloads-'))
const path = join(directory, 'stored')

let served: Served
let session: Readonly<Record<string, string>>
let content: StoredContent
let document: DocumentView
beforeAll(async () => {
  const knowledge = { ...fakeKnowledge(directory), content: async () => content, document: async () => document }
  served = await serve({ knowledge })
  const admin = await administrator(served)
  session = admin.session
  writeFileSync(path, bytes)
  content = { fileName: '手册.html', mediaType: 'text/html', byteSize: bytes.length, sha256: 'abc', path }
  const [file] = [{ fileName: 'a.md', path: 'x', byteSize: 1, sha256: 's' }]
  const caller = await served.auth.callerOfSession(String(session.cookie).split('=')[1] ?? '')
  if (!caller || !file) throw new Error('nobody is signed in')
  const uploaded = await fakeKnowledge(directory).upload(caller, `base-of-${admin.userId}`, form, [file])
  document = uploaded.document
})
afterAll(async () => {
  await served.close()
  rmSync(directory, { recursive: true })
})

const form = { index: false }
const ask = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  served.ask('/api/v1/documents/d/content', { method, headers: { ...session, ...headers } })

const read = (headers: Readonly<Record<string, string>> = {}) =>
  served.ask('/api/v1/documents/d', { headers: { ...session, ...headers } })

describe('a download', () => {
  test('is the file as it was uploaded, to be saved under its own name and never to be run', async () => {
    const answer = await ask()
    expect(answer.status).toBe(200)
    expect(answer.bytes.equals(bytes)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html',
      'content-length': String(bytes.length),
      'content-disposition': 'attachment; filename="__.html"; filename*=UTF-8\'\'%E6%89%8B%E5%86%8C.html',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: '"abc"'
    })
  })

  test('tells the same to HEAD, without the file', async () => {
    const { status, headers, bytes: body } = await ask({}, 'HEAD')
    expect([status, headers['content-length'], headers.etag, body.length]).toEqual([
      200,
      String(bytes.length),
      '"abc"',
      0
    ])
  })

  test.each(['"abc"', 'W/"abc"', '"x", "abc"', '*'])('is not sent again to who has %s', async (tag) => {
    const { status, headers, bytes: body } = await ask({ 'if-none-match': tag })
    expect([status, headers.etag, body.length]).toEqual([304, '"abc"', 0])
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('of a type that is none of ours is bytes', async () => {
    content = { ...content, mediaType: 'application/javascript' }
    expect((await ask()).headers['content-type']).toBe('application/octet-stream')
  })

  test('of a file that is damaged or gone is an error, not a broken file', async () => {
    truncateSync(path, 10)
    expect(await ask()).toMatchObject({ status: 500, body: { error: { code: 'DATA_CORRUPT' } } })
    rmSync(path)
    const gone = await ask()
    expect(gone).toMatchObject({ status: 500, body: { error: { code: 'DATA_CORRUPT' } } })
    expect(JSON.stringify(gone.body)).not.toContain(directory)
    expect(gone.headers['content-disposition']).toBeUndefined()
  })
})

describe('a document', () => {
  test('has a tag that stays while its state does', async () => {
    const first = await read()
    const etag = String(first.headers.etag)
    expect([first.status, first.headers['cache-control']]).toEqual([200, 'private, no-cache'])
    expect(await read({ 'if-none-match': etag })).toMatchObject({ status: 304, body: '' })
    document = { ...document, indexStatus: 'indexed' }
    const changed = await read({ 'if-none-match': etag })
    expect([changed.status, changed.headers.etag === etag]).toEqual([200, false])
  })
})

describe('the header that names a download', () => {
  test('is plain ASCII and gives any name back whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = attachment(name)
        const [, plain, whole] =
          /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([\w.~!#$&+^`|%-]*)$/.exec(header) ?? []
        expect(plain).toMatch(/^[\x20-\x7e]*$/)
        expect(decodeURIComponent(whole ?? 'x')).toBe(name)
      })
    )
  })

  test('takes half a surrogate pair, which no header can', () => {
    expect(attachment('a\ud83d.md')).toBe('attachment; filename="a_.md"; filename*=UTF-8\'\'a%EF%BF%BD.md')
  })
})
