import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { createApiClient, type DocumentView, type UploadAnswer } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseOf, fakeKnowledge } from '../test-material/fake-knowledge.ts'
import { administrator, type Answered, serve, type Served, type SignedInPerson } from '../test-material/served.ts'

let served: Served
let admin: SignedInPerson
beforeEach(async () => {
  served = await serve()
  admin = await administrator(served)
})
afterEach(() => served.close())

const filesLeft = () => (existsSync(served.files) ? readdirSync(served.files).length : 0)
const messageOf = ({ body }: Answered) => (body as { error: { message: string } }).error.message

interface Sent {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly agent?: Agent
}

/** A form as a browser writes it, in the order of its entries. */
async function upload(entries: readonly (readonly [string, string | File])[], sent: Sent = {}): Promise<Answered> {
  const form = new FormData()
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, value.name)
  }
  const written = new Response(form)
  const headers = { ...admin.session, 'content-type': written.headers.get('content-type') ?? '', ...sent.headers }
  const path = sent.path ?? `/api/v1/knowledge-bases/${baseOf(admin.userId)}/documents`
  const body = new Uint8Array(await written.arrayBuffer())
  return served.ask(path, { method: sent.method ?? 'POST', headers, body, agent: sent.agent ?? false })
}

const markdown = (content: string, name = 'a.md') => new File([content], name, { type: 'text/markdown' })
const documentOf = (answer: Answered): DocumentView => (answer.body as UploadAnswer).document

describe('an upload', () => {
  test('takes fields before and after its files, and says 202 with a task when they are to be indexed', async () => {
    const answer = await upload([
      ['title', '磁盘'],
      ['file', markdown('one', 'a.md')],
      ['file', markdown('two', 'b.md')],
      ['index', 'true']
    ])
    const { documents, task } = answer.body as UploadAnswer
    expect([answer.status, documents.map(({ document }) => document.fileName)]).toEqual([202, ['a.md', 'b.md']])
    expect(task).toMatchObject({ status: 'pending' })
    expect(filesLeft()).toBe(2)
    expect((await upload([['file', markdown('three')]])).status).toBe(201)
  })

  test('is what the typed client sends', async () => {
    const client = createApiClient({
      baseUrl: `http://127.0.0.1:${served.port}`,
      apiKey: (await admin.key('ingest', 'retrieve')).authorization?.slice(7) ?? ''
    })
    const files = [{ name: '手册.md', content: new Blob(['内容']) }]
    const { document } = await client.uploadDocuments({
      params: { id: baseOf(admin.userId) },
      form: { index: true },
      files
    })
    expect(document.fileName).toBe('手册.md')
    const content = await client.documentContent({ params: { id: document.id } })
    expect(await content.text()).toBe('内容')
    const replaced = await client.replaceDocument({
      params: { id: document.id },
      files: [{ name: 'b.md', content: new Blob(['2']) }]
    })
    expect(replaced.document).toMatchObject({ id: document.id, version: 2, fileName: 'b.md' })
  })

  test('streams: files larger than any body of JSON pass whole', async () => {
    const content = 'x'.repeat(900_000)
    const answer = await upload(
      [...Array(5).keys()].map((each) => ['file', markdown(content + each, `${each}.md`)] as const)
    )
    expect((answer.body as UploadAnswer).documents.map(({ document }) => document.byteSize)).toEqual(
      Array(5).fill(900_001)
    )
  })

  test.each<[string, (readonly [string, string | File])[], number, RegExp]>([
    ['no file', [['title', 't']], 400, /file: is missing/],
    ['a text in the file’s place', [['file', 'text']], 400, /file: must be a file with a name/],
    ['a file in a field’s place', [['title', markdown('x')]], 400, /title: is no field for files; name them file/],
    [
      'a field twice',
      [
        ['file', markdown('x')],
        ['title', 'a'],
        ['title', 'b']
      ],
      400,
      /title: must be given once/
    ],
    [
      'a field that is not known',
      [
        ['file', markdown('x')],
        ['colour', 'red']
      ],
      400,
      /colour: is not known here/
    ],
    [
      'a bad value',
      [
        ['file', markdown('x')],
        ['index', 'maybe']
      ],
      400,
      /index: must be true or false/
    ],
    [
      'a field that is too long',
      [
        ['file', markdown('x')],
        ['title', 'x'.repeat(20_000)]
      ],
      400,
      /title: must have at most/
    ],
    [
      'too many fields',
      [...Array(40).keys()].map((each) => [`f${each}`, ''] as [string, string]),
      400,
      /too many fields/
    ],
    [
      'too many files',
      [...Array(21).keys()].map((each) => ['file', markdown(`${each}`)] as [string, File]),
      400,
      /at most 20/
    ],
    [
      'too large a file',
      [
        ['file', markdown('small')],
        ['file', markdown('x'.repeat(1_000_001))]
      ],
      413,
      /too large/
    ]
  ])('with %s is refused, and nothing of it is left', async (_what, entries, status, message) => {
    const answer = await upload(entries)
    expect(answer.status).toBe(status)
    expect(messageOf(answer)).toMatch(message)
    expect(filesLeft()).toBe(0)
  })

  test('that the room refuses leaves nothing', async () => {
    const path = '/api/v1/knowledge-bases/nobody/documents'
    expect((await upload([['file', markdown('x')]], { path })).status).toBe(404)
    await upload([['file', markdown('x')]])
    expect((await upload([['file', markdown('x')]])).status).toBe(409)
    expect(filesLeft()).toBe(1)
  })

  test.each([
    ['JSON', 'application/json', '{}', 415, /multipart\/form-data/],
    ['another form', 'application/x-www-form-urlencoded', 'a=1', 415, /multipart\/form-data/],
    ['nothing', '', undefined, 415, /multipart\/form-data/],
    ['no boundary', 'multipart/form-data', 'x', 400, /names no boundary/],
    ['another boundary', 'multipart/form-data; boundary=a', '--b\r\n\r\nx\r\n--b--', 400, /before its last boundary/],
    [
      'a file that was not chosen',
      'multipart/form-data; boundary=a',
      '--a\r\ncontent-disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--a--\r\n',
      400,
      /file: is missing/
    ],
    ['an empty form', 'multipart/form-data; boundary=a', '--a--\r\n', 400, /file: is missing/]
  ])('as %s is refused', async (_what, type, body, status, message) => {
    const path = `/api/v1/knowledge-bases/${baseOf(admin.userId)}/documents`
    const headers = { ...admin.session, ...(type === '' ? {} : { 'content-type': type }) }
    const answer = await served.ask(path, { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
    expect(answer.status).toBe(status)
    expect(messageOf(answer)).toMatch(message)
  })

  test('whose client goes in the middle of a file leaves nothing and is no fault of ours', async () => {
    const socket = connect(served.port, '127.0.0.1')
    socket.write(
      `POST /api/v1/knowledge-bases/${baseOf(admin.userId)}/documents HTTP/1.1\r\nhost: 127.0.0.1\r\n` +
        `x-request-id: gone\r\ncookie: ${admin.session.cookie}\r\ncontent-length: 9999\r\n` +
        'content-type: multipart/form-data; boundary=b\r\n\r\n' +
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\nbeginning'
    )
    await expect.poll(filesLeft).toBe(1)
    socket.destroy()
    await once(socket, 'close')
    await expect.poll(filesLeft).toBe(0)
    await expect.poll(() => served.events().filter(({ requestId }) => requestId === 'gone').length).toBeGreaterThan(0)
    expect(served.events().filter(({ requestId, level }) => requestId === 'gone' && level === 'error')).toEqual([])
  })

  test('that runs while the server closes is taken whole, and is the last of its connection', async () => {
    const own = await serve()
    const { userId, session } = await administrator(own)
    const socket = connect(own.port, '127.0.0.1')
    const head = 'content-disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
    const [first, last] = [`--b\r\n${head}begin`, 'ning\r\n--b--\r\n']
    socket.write(
      `POST /api/v1/knowledge-bases/${baseOf(userId)}/documents HTTP/1.1\r\nhost: 127.0.0.1\r\n` +
        `cookie: ${session.cookie}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        `content-length: ${first.length + last.length}\r\n\r\n${first}`
    )
    await expect.poll(() => existsSync(own.files)).toBe(true)
    const closed = own.close()
    await new Promise((done) => setTimeout(done, 100))
    socket.write(last)
    const answer = Buffer.concat(await socket.toArray()).toString()
    expect(answer).toMatch(/^HTTP\/1[.]1 201 [^]*\r\nconnection: close\r\n/i)
    expect(answer).toContain('"byteSize":9')
    await closed
  })

  test('that is refused early is still answered to a client that goes on sending, and so is what it asks next', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const big = Array.from({ length: 15 }, (_, each) => ['file', markdown('y'.repeat(900_000), `${each}.md`)] as const)
    expect((await upload([['bad', markdown('x')], ...big], { agent })).status).toBe(400)
    expect((await served.ask('/health', { agent })).status).toBe(200)
    agent.destroy()
  })

  test('may replace a document with one file, not several', async () => {
    const { id } = documentOf(await upload([['file', markdown('x')]]))
    const replace = { path: `/api/v1/documents/${id}/content`, method: 'PUT' }
    expect((await upload([['file', markdown('y')]], replace)).body).toMatchObject({ document: { id, version: 2 } })
    const two = await upload(
      [
        ['file', markdown('1')],
        ['file', markdown('2')]
      ],
      replace
    )
    expect([two.status, messageOf(two)]).toEqual([400, expect.stringContaining('must be one file')])
  })
})

const keyed = (key: string): Sent => ({ headers: { 'idempotency-key': key } })

describe('an Idempotency-Key', () => {
  test('makes the same request again the same upload', async () => {
    const first = await upload(
      [
        ['title', 't'],
        ['file', markdown('x')]
      ],
      keyed('k1')
    )
    const again = await upload(
      [
        ['file', markdown('x')],
        ['title', 't']
      ],
      keyed('k1')
    )
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(filesLeft()).toBe(1)
  })

  test('does not name another request', async () => {
    await upload([['file', markdown('x')]], keyed('k1'))
    for (const other of [
      await upload([['file', markdown('y')]], keyed('k1')),
      await upload([['file', markdown('x', 'b.md')]], keyed('k1')),
      await upload(
        [
          ['file', markdown('x')],
          ['index', 'true']
        ],
        keyed('k1')
      )
    ]) {
      expect([other.status, messageOf(other)]).toEqual([409, expect.stringContaining('another request')])
    }
    expect(filesLeft()).toBe(1)
  })

  test('lets a request that failed be tried again', async () => {
    const path = '/api/v1/knowledge-bases/nobody/documents'
    const headers = { 'idempotency-key': 'k1' }
    expect((await upload([['file', markdown('x')]], { path, headers })).status).toBe(404)
    expect((await upload([['file', markdown('x')]], keyed('k1'))).status).toBe(201)
  })

  test('is told to wait while the first request runs, and gives its answer afterwards', async () => {
    const knowledge = fakeKnowledge(served.files)
    const started = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await served.close()
    served = await serve({
      knowledge: {
        ...knowledge,
        upload: async (...given) => {
          started.resolve()
          await released.promise
          return knowledge.upload(...given)
        }
      }
    })
    admin = await administrator(served)
    const first = upload([['file', markdown('x')]], keyed('k1'))
    await started.promise
    const early = await upload([['file', markdown('x')]], keyed('k1'))
    expect([early.status, early.headers['retry-after'], messageOf(early)]).toEqual([
      409,
      '1',
      expect.stringContaining('still running')
    ])
    released.resolve()
    expect((await upload([['file', markdown('x')]], keyed('k1'))).body).toEqual((await first).body)
  })

  test.each(['', ' ', 'a b', 'x'.repeat(201)])('is refused when it is "%s"', async (key) => {
    const answer = await upload([['file', markdown('x')]], keyed(key))
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringContaining('Idempotency-Key')])
  })
})

const names = new URL('../../../../../../shared/cases/peers/filenames.json', import.meta.url)

describe.skipIf(!existsSync(names))('file names that broke others (../shared is absent otherwise)', () => {
  test('round-trip through upload, view and download', async () => {
    const all = JSON.parse(readFileSync(names, 'utf8')) as string[]
    expect(all.length).toBeGreaterThan(5)
    for (const [each, name] of all.entries()) {
      const answer = await upload([['file', markdown(`content ${each}`, name)]])
      expect([name, answer.status]).toEqual([name, 201])
      const document = documentOf(answer)
      expect(document.fileName).toBe(name)
      const content = await served.ask(`/api/v1/documents/${document.id}/content`, { headers: admin.session })
      const disposition = String(content.headers['content-disposition'])
      expect(decodeURIComponent(disposition.split("filename*=UTF-8''")[1] ?? '')).toBe(name)
      expect(content.body).toBe(`content ${each}`)
    }
    expect(filesLeft()).toBe(all.length)
  })
})
