import type { ApiClient } from '@oncall-agent/api-contracts'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oncall, shared, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { addPerson, bootstrap, ended, file, keyOf, type Person } from './people.ts'
import { type Served, startServer } from './served.ts'

const peers = join(shared, 'cases/peers')
const peer = (name: string) => new Uint8Array(readFileSync(join(peers, name)))

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
let ana: Person
let api: ApiClient

beforeAll(async () => {
  ;[stub, folder] = await Promise.all([startModelStub(), temporaryFolder()])
  server = await startServer(folder.path, { ...stub.environment, KB_JOBS__MAX_ATTEMPTS: '2' })
  ana = await bootstrap(server.address)
  api = await keyOf(server.address, ana, 'retrieve', 'ingest')
})
afterAll(async () => {
  await server.stop()
  await Promise.all([stub.close(), folder.remove()])
})

const newBase = async (name: string): Promise<string> => (await api.createKnowledgeBase({ body: { name } })).id

const upload = (base: string, ...files: readonly ReturnType<typeof file>[]) =>
  api.uploadDocuments({ params: { id: base }, form: { index: true }, files })

const han = (given: string): string => (given.match(/\p{Script=Han}/gu) ?? []).join('')

/** How an upload ends: the reason why it was refused or failed, or what was indexed. */
async function fate(base: string, name: string, content: Uint8Array<ArrayBuffer>) {
  const answer = await upload(base, file(name, content)).catch(
    (error: unknown) => error as { code: string; message: string }
  )
  if ('code' in answer) return { outcome: 'refused', code: answer.code, message: answer.message, chunks: 0 }
  const task = await ended(api, answer.task!.id)
  const { indexStatus, chunkCount } = await api.document({ params: { id: answer.document.id } })
  expect(indexStatus).toBe(task.status === 'succeeded' ? 'indexed' : 'failed')
  return { outcome: indexStatus, code: task.reason?.code, message: task.reason?.message ?? '', chunks: chunkCount }
}

describe('a data folder that holds uploads alone', () => {
  it('is no "nothing found" for the command line, which searches what `oncall index` has read', async () => {
    const words = new TextEncoder().encode('# etcd\n\nNOSPACE means that the disk is full.')
    expect(await fate(await newBase('uploads'), 'etcd.md', words)).toMatchObject({ outcome: 'indexed' })
    const { exit, stderr } = await oncall(['retrieve', 'NOSPACE', '--data', folder.path], stub.environment)
    expect(exit).toBe(1)
    expect(stderr).toMatch(/NOT_FOUND[^]*oncall index[^]*through the server/)
  })
})

describe.skipIf(!existsSync(peers))('what peers fell over (skipped where ../shared/cases is absent)', () => {
  it.each([
    'pdf_scanned_only.pdf',
    'empty.md',
    'whitespace_only.md',
    'not_a_pdf.pdf',
    'pdf_truncated.pdf',
    'enc_nul.md',
    'enc_invalid_utf8.md'
  ])('%s is never indexed, and the reason is one that a person understands', async (name) => {
    const { outcome, code, message, chunks } = await fate(await newBase(name), name, peer(name))
    expect(['refused', 'failed']).toContain(outcome)
    expect(code).toBe('DOCUMENT_UNREADABLE')
    expect(message).toMatch(/\w+ \w+ \w+/)
    expect(chunks).toBe(0)
  })

  it('a document of a heading alone is never indexed without a chunk', async () => {
    const { outcome, chunks } = await fate(await newBase('heading'), 'heading_only.md', peer('heading_only.md'))
    expect([outcome, chunks > 0]).toEqual(outcome === 'indexed' ? ['indexed', true] : [outcome, false])
  })

  it.each([
    ['enc_gbk.md', 'gb18030'],
    ['enc_utf16le_bom.md', 'utf-16le'],
    ['enc_utf8_bom.md', 'utf-8']
  ])('%s is indexed with the text that it has', async (name, encoding) => {
    const base = await newBase(name)
    const { document, task } = await upload(base, file(name, peer(name)))
    expect(await ended(api, task!.id)).toMatchObject({ status: 'succeeded' })
    const { text } = await api.documentText({ params: { id: document.id } })
    const expected = new TextDecoder(encoding).decode(peer(name))
    expect(han(text)).not.toBe('')
    expect(han(expected)).toContain(han(text))
    expect(text).not.toMatch(/[\uFFFD\uFEFF]/)
  })

  it('a line of 320,000 characters is cut, and nothing of it is lost', async () => {
    const { outcome, chunks } = await fate(await newBase('long'), 'long_line_ascii.md', peer('long_line_ascii.md'))
    expect([outcome, chunks > 100]).toEqual(['indexed', true])
  })
})

describe.skipIf(!existsSync(peers))('hostile file names (skipped where ../shared/cases is absent)', () => {
  const names = existsSync(peers) ? (JSON.parse(readFileSync(join(peers, 'filenames.json'), 'utf8')) as string[]) : []

  it.each(names.map((name, at) => [JSON.stringify(name).slice(0, 60), name, at] as const))(
    '%s is a name and no path, and comes back on download',
    async (_shown, name, at) => {
      const before = files()
      const base = await newBase(`names-${at}`)
      const content = `# File ${at}\n\nText ${at}`
      const answer = await uploadRaw(base, name, content)
      const text = await answer.text()
      expect([202, 400, 415, 422], text).toContain(answer.status)
      const back = answer.status === 202 ? await download(text) : undefined
      expect(back ?? { content, isSafe: true, isSame: true }).toEqual({ content, isSafe: true, isSame: true })
      // Bytes of uploads lie in folders of ids; nothing carries the name that somebody sent.
      const added = files().filter((path) => !before.includes(path))
      expect(added.filter((path) => !/^files[/][\w/.-]+$|^business[.]db|^\w+[.](db|lock)/.test(path))).toEqual([])
      expect(added.filter((path) => /outside|evil|cron|🔥|手册/.test(path))).toEqual([])
      expect(existsSync(join(folder.path, '../outside.md'))).toBe(false)
    }
  )

  it('keeps names of any script as they are', async () => {
    const plain = names.filter(
      (name) => /^[^/\\\p{Cc}\p{Cf}:]+$/u.test(name) && name.length < 100 && /\p{L}.*[.]md$/iu.test(name)
    )
    expect(plain.length).toBeGreaterThan(3)
    const base = await newBase('plain')
    for (const [at, name] of plain.entries()) {
      const { document } = await upload(base, file(name, `# Plain ${at}`))
      expect(document.fileName).toBe(name.normalize('NFC'))
    }
  })
})

/** A document as it comes back: its content, whether its name is one line and no path, and whether it is told the same. */
async function download(uploaded: string) {
  const { document } = JSON.parse(uploaded) as { readonly document: { readonly id: string; readonly fileName: string } }
  const address = `${server.address}/api/v1/documents/${document.id}/content`
  const back = await fetch(address, { headers: { cookie: ana.cookie } })
  return {
    content: await back.text(),
    isSafe:
      /^[^/\\\p{Cc}\u202E]+$/u.test(document.fileName) && back.headers.get('x-content-type-options') === 'nosniff',
    isSame: downloadName(back.headers.get('content-disposition')) === document.fileName
  }
}

const part = (headers: string, body: string): string =>
  `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${body}\r\n`

/** With the name as it is: FormData would replace some of its characters. */
function uploadRaw(base: string, name: string, content: string): Promise<Response> {
  const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return fetch(`${server.address}/api/v1/knowledge-bases/${base}/documents`, {
    method: 'POST',
    headers: { cookie: ana.cookie, 'content-type': 'multipart/form-data; boundary=b' },
    body: `${part('name="index"', 'true')}${part(`name="file"; filename="${quoted}"`, content)}--b--\r\n`
  })
}

/** RFC 6266: `filename*` wins. */
function downloadName(disposition: string | null): string | undefined {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  return extended === undefined ? /filename="([^"]*)"/.exec(disposition ?? '')?.[1] : decodeURIComponent(extended)
}

const files = (): readonly string[] => globSync('**/*', { cwd: folder.path })

describe('many at once', () => {
  it('of uploads and searches: none fails', async () => {
    const base = await newBase('rush')
    const eve = await addPerson(server.address, ana, 'eve')
    const uploads = Array.from({ length: 20 }, (_, at) =>
      upload(base, file(`rush-${at}.md`, `# Rush ${at}\n\nE_RUSH_${at}`))
    )
    const searches = Array.from({ length: 40 }, (_, at) =>
      (at % 2 === 0 ? ana : eve).api.retrieve({ body: { query: `E_RUSH_${at}` } })
    )
    const answers = await Promise.all(uploads)
    await Promise.all(searches)
    for (const { task } of answers)
      expect(await ended(api, task!.id)).toMatchObject({ status: 'succeeded', attempt: 1 })
    for (const [at, { document }] of answers.entries()) {
      const { results } = await api.retrieve({ body: { query: `E_RUSH_${at}` } })
      expect(results[0]).toMatchObject({ documentId: document.id })
    }
  })

  it('of one and the same file: one document', async () => {
    const base = await newBase('same')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => upload(base, file('same.md', '# Same\n\nsame')))
    )
    const refused = outcomes
      .filter((each) => each.status === 'rejected')
      .map(({ reason }) => (reason as { code: string }).code)
    expect(refused).toEqual(Array.from({ length: 7 }, () => 'CONFLICT'))
    expect((await api.documents({ params: { id: base } })).total).toBe(1)
  })

  it('of good documents behind one that always fails: they do not wait for it', async () => {
    stub.misbehave({ holding: 'E_POISON', status: 500 })
    const base = await newBase('poison')
    const poison = await upload(base, file('poison.md', '# Poison\n\nE_POISON'))
    const good = await Promise.all(
      Array.from({ length: 20 }, (_, at) => upload(base, file(`good-${at}.md`, `# Good ${at}\n\nE_GOOD_${at}`)))
    )
    const tasks = await Promise.all(good.map(({ task }) => ended(api, task!.id)))
    expect(tasks.map(({ status }) => status)).toEqual(good.map(() => 'succeeded'))
    const failed = await ended(api, poison.task!.id)
    stub.misbehave(undefined)
    expect(failed).toMatchObject({ status: 'failed', attempt: 2, reason: { code: 'SYSTEM_UNAVAILABLE' } })
    // The one worker went on with others between its two attempts.
    expect(tasks.filter(({ finishedAt }) => finishedAt! < failed.finishedAt!)).not.toEqual([])
  })
})
