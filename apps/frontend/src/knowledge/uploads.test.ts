import { flushPromises } from '@vue/test-utils'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerMock } from '../../dev/mock-api.ts'
import { mockState, type MockState } from '../../dev/mock-state.ts'
import { useSession } from '../session/session-store.ts'
import { mountPage, unmountAll } from '../test-material/mount-page.ts'
import { droppedFiles, withoutHidden } from './dropped-files.ts'
import { uploadFields } from './upload-fields.ts'
import UploadPanel from './upload-panel.vue'
import { useUploads } from './uploads-store.ts'

const noAttributes = { knowledgeType: '', project: '', equipment: '', errorCodes: '' }
let state: MockState
let server: Server
/** Uploads that are being answered now, and the most there were. */
let open = 0
let most = 0

beforeEach(async () => {
  state = mockState('in')
  open = most = 0
  server = createServer(async (incoming, response) => {
    most = Math.max(most, ++open)
    const body = Buffer.concat(await incoming.toArray())
    const headers = new Headers(incoming.headers as Record<string, string>)
    const answer = (await answerMock(
      state,
      new Request(`http://mock${incoming.url}`, { method: 'POST', headers, body })
    ))!
    await new Promise((done) => setTimeout(done, 20))
    open--
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  location.href = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  unmountAll()
  server.closeAllConnections()
  server.close()
})

const file = (name: string): File => new File(['# text'], name, { type: 'text/markdown' })

/** The store of uploads in a page that shows nothing. */
async function uploadsAlone(): Promise<ReturnType<typeof useUploads>> {
  await mountPage({ render: () => null })
  return useUploads()
}

describe('files on their way', () => {
  test('that meet the end of the session lead to signing in, and are sent after it', async () => {
    const uploads = await uploadsAlone()
    const session = useSession()
    await session.load()
    const me = state.me
    state.me = null
    uploads.add('kb-own', [file('a.md'), file('b.md'), file('c.md')], uploadFields(true, false, noAttributes))
    await vi.waitFor(() => expect([session.phase, session.expired]).toEqual(['out', true]), 10_000)
    await vi.waitFor(() => expect(uploads.all.map((each) => each.state)).toEqual(Array(3).fill('waiting')), 10_000)
    state.me = me
    await session.signIn({ username: 'wang.wei', password: 'a long password' })
    await vi.waitFor(() => expect(uploads.taken).toBe(3), 10_000)
  })

  test('are sent two at a time, each with its own outcome', async () => {
    const uploads = await uploadsAlone()
    uploads.add(
      'kb-own',
      [file('a.md'), file('KubePodCrashLooping.md'), file('b.gif'), file('c.md')],
      uploadFields(true, false, noAttributes)
    )
    await vi.waitFor(() => expect(uploads.open).toHaveLength(0), 10_000)
    expect(uploads.all.map(({ state: now, problem }) => [now, problem?.code ?? null])).toEqual([
      ['taken', null],
      ['refused', 'CONFLICT'],
      ['refused', 'UNSUPPORTED_MEDIA_TYPE'],
      ['taken', null]
    ])
    expect([most, uploads.taken]).toEqual([2, 2])
    expect([...state.documents.values()].slice(0, 2).map(({ fileName }) => fileName)).toEqual(['c.md', 'a.md'])
  })

  test('that were refused for a passing reason can be sent again', async () => {
    const uploads = await uploadsAlone()
    state.broken.add('uploadDocuments')
    uploads.add('kb-own', [file('a.md')], uploadFields(false, false, noAttributes))
    await vi.waitFor(() => expect(uploads.all[0]!.state).toBe('refused'), 10_000)
    state.broken.clear()
    uploads.again(uploads.all[0]!)
    await vi.waitFor(() => expect(uploads.all[0]!.state).toBe('taken'), 10_000)
    uploads.clear('kb-own')
    expect(uploads.all).toEqual([])
  })
})

describe('the upload panel', () => {
  test('shows a duplicate with the way to the document that is there', async () => {
    const { page } = await mountPage(UploadPanel, { props: { baseId: 'kb-own' } })
    useUploads().add('kb-own', [file('KubePodCrashLooping.md')], uploadFields(true, false, noAttributes))
    await vi.waitFor(() => expect(page.text()).toContain('The same content is already in this knowledge base.'), 10_000)
    expect(page.find('.upload-row a').attributes('href')).toBe('/documents/kb-own-doc-1')
    expect(page.find('.upload-row button').exists()).toBe(false)
  })

  test('shows a refusal in Chinese with its reason and the id to ask with', async () => {
    const { page } = await mountPage(UploadPanel, { props: { baseId: 'kb-own' }, locale: 'zh' })
    useUploads().add('kb-own', [file('b.gif')], uploadFields(true, false, noAttributes))
    await vi.waitFor(
      () => expect(page.text()).toMatch(/不支持该类型的内容。.*UNSUPPORTED_MEDIA_TYPE.*请求编号 req-/s),
      10_000
    )
    await flushPromises()
    expect(page.text()).toContain('已接收 0 个，被拒绝 1 个，剩余 0 个')
  })

  test('says in Chinese what is wrong with a file, where the answer has a reason', async () => {
    const { page } = await mountPage(UploadPanel, { props: { baseId: 'kb-own' }, locale: 'zh' })
    useUploads().add('kb-own', [file('locked.docx')], uploadFields(true, false, noAttributes))
    await vi.waitFor(
      () => expect(page.text()).toMatch(/该文件受密码保护。.*locked\.docx is password-protected/s),
      10_000
    )
    expect(page.text()).not.toContain('无法读取该文档。')
  })
})

describe('fields beside the files', () => {
  test('an empty one is not sent, so that the front matter of the document counts', () => {
    const inputs = { ...noAttributes, project: ' payments ', errorCodes: 'E1, E2' }
    expect(uploadFields(true, false, inputs)).toEqual({
      index: true,
      detectErrorCodes: false,
      project: 'payments',
      errorCodes: 'E1, E2'
    })
  })
})

/** Entries as a browser hands them out: a folder in parts, the last of them empty. */
function folder(name: string, ...parts: FileSystemEntry[][]): FileSystemEntry {
  const left = [...parts]
  const readEntries = (done: FileSystemEntriesCallback): void => done(left.shift() ?? [])
  return { name, isFile: false, createReader: () => ({ readEntries }) } as unknown as FileSystemEntry
}
const entry = (name: string): FileSystemEntry =>
  ({ name, isFile: true, file: (done: FileCallback) => done(file(name)) }) as unknown as FileSystemEntry
const item = (from: FileSystemEntry): DataTransferItem =>
  ({ kind: 'file', webkitGetAsEntry: () => from }) as unknown as DataTransferItem

describe('what was dropped', () => {
  test('a folder gives all its files, below all its folders, without the hidden ones', async () => {
    const dropped = folder(
      'runbooks',
      [entry('a.md'), folder('deep', [entry('b.md')]), folder('.git', [entry('config')])],
      [entry('c.md'), entry('.DS_Store')]
    )
    const files = await droppedFiles([item(dropped), item(entry('d.md')), { kind: 'string' } as DataTransferItem])
    expect(files.map(({ name }) => name)).toEqual(['a.md', 'b.md', 'c.md', 'd.md'])
  })

  test('a folder that cannot be read fails as a whole', async () => {
    const broken = {
      ...folder('x'),
      createReader: () => ({ readEntries: (_done: unknown, fail: ErrorCallback) => fail(new DOMException('gone')) })
    }
    await expect(droppedFiles([item(broken as unknown as FileSystemEntry)])).rejects.toThrow('gone')
  })

  test('of a chosen folder, what lies below a hidden one is left out', () => {
    const chosen = ['r/a.md', 'r/.git/config', 'r/.hidden'].map((path) =>
      Object.defineProperty(file(path.split('/').at(-1)!), 'webkitRelativePath', { value: path })
    )
    expect(withoutHidden(chosen).map(({ name }) => name)).toEqual(['a.md'])
  })
})
