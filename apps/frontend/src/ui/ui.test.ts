import { afterEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { useAnnouncements } from '../app/announcements-store.ts'
import AnnouncementCards from '../app/announcement-cards.vue'
import { mountPage, settle, unmountAll } from '../test-material/mount-page.ts'
import ConfirmDialog from './confirm-dialog.vue'
import CopyButton from './copy-button.vue'
import { copyText } from './copy-text.ts'
import FailureText from './failure-text.vue'
import ProblemNote from './problem-note.vue'
import { randomId } from './random-id.ts'

afterEach(() => {
  unmountAll()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const problem = {
  code: 'SYSTEM_UNAVAILABLE',
  message: 'The index is being rebuilt.',
  requestId: 'r7',
  details: {}
} as const

describe('a failure', () => {
  test('whose sentence a contract fixes is told in the reader’s language alone', async () => {
    const failure = { code: 'SYSTEM_UNAVAILABLE', message: 'Knowledge retrieval is temporarily unavailable.' } as const
    const zh = await mountPage(FailureText, { props: { failure }, locale: 'zh' })
    expect(zh.page.text()).toBe('知识检索暂时不可用。SYSTEM_UNAVAILABLE')
    const en = await mountPage(FailureText, { props: { failure } })
    expect(en.page.text()).toBe(`${failure.message}SYSTEM_UNAVAILABLE`)
  })
})

describe('a problem', () => {
  test('is told in the reader’s language, with the server’s own sentence, the code and the id', async () => {
    const { page } = await mountPage(ProblemNote, { props: { problem }, locale: 'zh' })
    expect(page.find('[role=alert]').text()).toMatch(
      /服务暂时不可用。.*The index is being rebuilt\..*SYSTEM_UNAVAILABLE.*请求编号 r7/s
    )
    expect(page.find('[lang=en]').text()).toBe('The index is being rebuilt.')
  })

  test('does not say the same twice', async () => {
    const same = { ...problem, message: 'The service is temporarily unavailable.' }
    const { page } = await mountPage(ProblemNote, { props: { problem: same } })
    expect(page.text().match(/temporarily unavailable/g)).toHaveLength(1)
  })

  test('of what does not exist says so once, and offers no second try', async () => {
    const missing = { ...problem, code: 'NOT_FOUND', message: 'There is no document “d7”.' } as const
    const { page } = await mountPage(ProblemNote, { props: { problem: missing, retryable: true } })
    expect(page.text().match(/There is no document/g)).toHaveLength(1)
    expect(page.text()).not.toContain('It does not exist.')
    const titled = await mountPage(ProblemNote, { props: { problem: missing, title: 'Not opened.' }, locale: 'zh' })
    expect(titled.page.text()).toMatch(/Not opened\.\s*所请求的内容不存在。\s*There is no document “d7”\./)
    expect(page.findAll('button').map((button) => button.text())).not.toContain('Try again')
  })

  test('of a server that did not answer says what to check, and offers no id to copy', async () => {
    const { page } = await mountPage(ProblemNote, { props: { problem: { ...problem, requestId: '' } } })
    expect(page.text()).toContain('The server did not answer.')
    expect(page.text()).not.toContain('Request id')
  })

  test('can be tried again only where that is offered', async () => {
    const tried = vi.fn<() => void>()
    const { page } = await mountPage(ProblemNote, { props: { problem, retryable: true, onRetry: tried } })
    await page.findAll('button').at(-1)!.trigger('click')
    expect(tried).toHaveBeenCalledOnce()
    const other = await mountPage(ProblemNote, { props: { problem } })
    expect(other.page.text()).not.toContain('Try again')
  })
})

test('a failure of the past is told in both: the catalogue’s words and the exact sentence', async () => {
  const failure = { code: 'STORAGE_FULL', message: 'No space is left on the data disk.' }
  const { page } = await mountPage(FailureText, { props: { failure }, locale: 'zh' })
  expect(page.text()).toMatch(/存储空间不足。.*No space is left on the data disk\..*STORAGE_FULL/s)
})

test('a failure that was told in Chinese needs no other words, and is not said to be English', async () => {
  const failure = { code: 'AUTH_FORBIDDEN', message: '没有人批准此次调用。' }
  const { page } = await mountPage(FailureText, { props: { failure }, locale: 'zh' })
  expect(page.text()).toMatch(/^没有人批准此次调用。\s*AUTH_FORBIDDEN$/)
  expect(page.find('[lang]').attributes('lang')).toBe('zh-CN')
})

describe('a question before what cannot be undone', () => {
  const words = { title: 'Delete?', text: 'All of it.', action: 'Delete', busy: false, problem: null }

  test('opens as a dialog with its title, and closes by Escape or its button without doing it', async () => {
    const [confirm, close] = [vi.fn<() => void>(), vi.fn<() => void>()]
    const { page } = await mountPage(ConfirmDialog, { props: { ...words, onConfirm: confirm, onClose: close } })
    const dialog = page.find('dialog')
    expect((dialog.element as HTMLDialogElement).open).toBe(true)
    expect(document.querySelector(`#${CSS.escape(dialog.attributes('aria-labelledby')!)}`)?.textContent).toBe('Delete?')
    await dialog.trigger('cancel')
    await page.find('button[aria-label="Close"]').trigger('click')
    expect([close.mock.calls.length, confirm.mock.calls.length]).toEqual([2, 0])
  })

  test('cannot be answered twice while it is being done', async () => {
    const { page } = await mountPage(ConfirmDialog, { props: { ...words, busy: true } })
    expect(page.find('.button-danger').attributes('disabled')).toBeDefined()
  })
})

describe('copying', () => {
  test('uses the clipboard where there is one', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve())
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    expect(await copyText('run-1')).toBe(true)
    expect(writeText).toHaveBeenCalledWith('run-1')
  })

  test('selects the text where there is none, as on plain http, and leaves nothing behind', async () => {
    vi.stubGlobal('navigator', {})
    let selected = ''
    document.execCommand = () => {
      selected = document.querySelector('textarea')?.value ?? ''
      return true
    }
    expect(await copyText('run-2')).toBe(true)
    expect([selected, document.querySelector('textarea')]).toEqual(['run-2', null])
  })

  test('says so when the browser does not let it', async () => {
    vi.stubGlobal('navigator', {
      languages: ['en'],
      clipboard: { writeText: () => Promise.reject(new Error('denied')) }
    })
    document.execCommand = () => false
    const { page } = await mountPage(CopyButton, { props: { text: 'x', label: 'Copy' } })
    await page.find('button').trigger('click')
    await settle()
    expect(useAnnouncements().shown.map(({ tone }) => tone)).toEqual(['bad'])
  })
})

describe('announcements', () => {
  test('good ones go by themselves, bad ones stay until they are put away, none is there twice', async () => {
    const { page } = await mountPage(AnnouncementCards)
    vi.useFakeTimers()
    const { announce } = useAnnouncements()
    announce('good', 'Saved.')
    announce('bad', 'Failed.')
    announce('bad', 'Failed.')
    await nextTick()
    expect(page.findAll('.card-note')).toHaveLength(2)
    vi.advanceTimersByTime(60_000)
    await nextTick()
    expect(page.findAll('.card-note').map((card) => card.text())).toEqual(['Failed.'])
    await page.find('.card-note button').trigger('click')
    expect(page.find('.card-note').exists()).toBe(false)
    expect(page.find('[role=status]').attributes('aria-live')).toBe('polite')
  })
})

test('ids of uploads differ, and fit the header that carries them', () => {
  const ids = Array.from({ length: 1_000 }, randomId)
  expect(new Set(ids).size).toBe(1_000)
  expect(ids.filter((id) => !/^[\da-f]{32}$/.test(id))).toEqual([])
})
