import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { h } from 'vue'
import type { MockState } from '../../dev/mock-state.ts'
import { useSession } from '../session/session-store.ts'
import { mountPage, type Mounted, type MountWish, settle, unmountAll } from '../test-material/mount-page.ts'
import ChatPage from './chat-page.vue'

beforeEach(() => localStorage.clear())
afterEach(() => {
  unmountAll()
  vi.useRealTimers()
})

async function opened(wish: MountWish = {}): Promise<Mounted> {
  return mountPage(ChatPage, {
    ...wish,
    prepare: (state) => {
      state.chat.pace = 0
      wish.prepare?.(state)
    }
  })
}
const field = ({ page }: Mounted) => page.find<HTMLTextAreaElement>('.composer textarea')
const enter = (options: Record<string, unknown> = {}) => ({ key: 'Enter', ...options })

async function ask(here: Mounted, question: string): Promise<void> {
  await field(here).setValue(question)
  await field(here).trigger('keydown', enter())
  await settle()
}
const sent = ({ calls }: Mounted): number => calls.filter((call) => /^POST .*\/messages$/.test(call)).length
/** A conversation of the mock, opened at its address as another tab would. */
const reopened = (here: Mounted, prepare?: MountWish['prepare']): Promise<Mounted> => {
  const [id] = [...here.state.chat.conversations.keys()]
  return opened({
    props: { conversationId: id! },
    prepare: (state) => {
      Object.assign(state, { chat: here.state.chat, runs: here.state.runs })
      prepare?.(state)
    }
  })
}

const li = (state: MockState): void => void (state.me = state.users[1]!)

describe('asking', () => {
  test('begins a conversation, shows the answer, and names it in the list and in the address', async () => {
    const here = await opened()
    expect(here.page.findAll('.example')).toHaveLength(3)
    await ask(here, 'one: how to recover')
    expect(here.page.find('.question').text()).toContain('one: how to recover')
    expect(here.page.find('.md').text()).toContain('restart pay-gateway')
    expect(here.page.find('h1').text()).toBe('one: how to recover')
    expect(here.page.find('.talk').text()).toContain('one: how to recover')
    expect(here.router.currentRoute.value.path).toMatch(/^\/chat\/talk-/)
    expect(field(here).element.value).toBe('')
    expect(here.page.find('[role=status][aria-live]').text()).toBe('The answer is complete.')
  })

  test('an example is only written down', async () => {
    const here = await opened({ locale: 'zh' })
    await here.page.find('.example').trigger('click')
    expect(field(here).element.value).toContain('E_CONN_RESET')
    expect(sent(here)).toBe(0)
  })

  test.each([
    ['while Chinese letters are composed', { isComposing: true }],
    ['that ends the composing, in a browser that says it by its code', { keyCode: 229 }],
    ['with Shift', { shiftKey: true }]
  ])('Enter %s sends nothing', async (_when, options) => {
    const here = await opened()
    await field(here).setValue('网关 502')
    await field(here).trigger('keydown', enter(options))
    await settle()
    expect([sent(here), field(here).element.value]).toEqual([0, '网关 502'])
  })

  test('nothing but spaces, and more than fits, is not sent', async () => {
    const here = await opened()
    await ask(here, ' \n ')
    await ask(here, 'x'.repeat(32_001))
    expect(sent(here)).toBe(0)
    expect(here.page.find('.hint-bad').text()).toBe('1 characters too many')
  })

  test('a question that was refused stays typed, also after a reload', async () => {
    const here = await opened({ prepare: (state) => void state.broken.add('sendMessage') })
    await ask(here, 'do not lose me')
    expect(here.page.find('[role=alert]').text()).toContain('Your question was not sent. The text is still here.')
    expect(field(here).element.value).toBe('do not lose me')
    unmountAll()
    const again = await reopened(here)
    expect(field(again).element.value).toBe('do not lose me')
  })

  test('over a line that broke before a word was said is not asked twice: it came through', async () => {
    const here = await opened({ prepare: (state) => void (state.chat.breakAfter = 0) })
    await ask(here, 'one')
    await vi.waitFor(() => expect(here.page.find('.message-foot').exists()).toBe(true), 5_000)
    expect([sent(here), here.page.findAll('.question').length, field(here).element.value]).toEqual([1, 1, ''])
    expect(here.page.find('.composer-place [role=alert]').exists()).toBe(false)
  })

  test('two tabs at once: the later one is told in words, keeps its text, and sees the other answer', async () => {
    const first = await opened()
    await ask(first, 'hello')
    const second = await reopened(first)
    first.state.chat.pace = 5
    await ask(first, 'one: slowly')
    await ask(second, 'me too')
    expect(second.page.find('.composer-place [role=alert]').text()).toContain(
      'An answer is being written in this conversation already, perhaps in another tab.'
    )
    expect(field(second).element.value).toBe('me too')
    expect(second.page.findAll('.question').at(-1)?.text()).toContain('one: slowly')
    await vi.waitFor(() => expect(second.page.find('[data-test=stop]').exists()).toBe(false), 20_000)
    expect(second.page.findAll('.md').at(-1)?.text()).toContain('page the network team')
    await ask(second, 'me too')
    expect(second.page.find('.composer-place [role=alert]').exists()).toBe(false)
    await vi.waitFor(() => expect(second.page.find('[data-test=stop]').exists()).toBe(false), 20_000)
  })

  test('is asked only of the knowledge bases that are chosen, and says so', async () => {
    const here = await opened()
    expect(here.page.find('.composer-scope summary').text()).toBe('Searches all knowledge bases')
    await ask(here, 'hello')
    await here.page.find<HTMLInputElement>('.choices input').setValue(true)
    expect(here.page.find('.composer-scope summary').text()).toBe('Searches only in: 支付平台运维手册')
    await ask(here, 'hello')
    expect(here.state.chat.asked).toEqual([{ content: 'hello' }, { content: 'hello', knowledgeBaseIds: ['kb-own'] }])
  })
})

describe('an answer', () => {
  test('says that the search failed, and never that there is nothing', async () => {
    const here = await opened()
    await ask(here, 'please fail')
    const text = here.page.find('.answer').text()
    expect(text).toContain('The knowledge base could not be searched.')
    expect(text).toContain('This says nothing about whether there are documents on it.')
    expect(text).toContain('Knowledge reranking is temporarily unavailable.')
    expect(text).not.toContain('nothing on this was found')
  })

  test('says so while it is being written already', async () => {
    const here = await opened({ prepare: (state) => void (state.chat.pace = 20) })
    await field(here).setValue('please fail')
    await field(here).trigger('keydown', enter())
    await vi.waitFor(() => expect(here.page.find('.md').exists()).toBe(true), 20_000)
    expect(here.page.find('[data-test=stop]').exists()).toBe(true)
    expect(here.page.find('.answer .note-bad').text()).toContain('The knowledge base could not be searched.')
  })

  test('says that nothing was found only when it was looked for', async () => {
    const here = await opened()
    await ask(here, 'nothing on this')
    expect(here.page.find('.answer').text()).toContain('nothing on this was found')
    unmountAll()
    const other = await opened()
    await ask(other, 'hello')
    expect(other.page.find('.answer').text()).not.toContain('was searched')
  })

  test('made without a model says so, and where to set one up', async () => {
    const here = await opened()
    await ask(here, 'evidence')
    expect(here.page.find('.answer .note').text()).toContain('No chat model is configured')
    expect(here.page.find('.answer .note a').attributes('href')).toBe('/settings/models')
  })

  test('counts what was removed of it', async () => {
    const here = await opened()
    await ask(here, 'forged')
    expect(here.page.find('.message-foot').text()).toContain('2 references that belonged to no source were removed.')
  })

  test('that ended early keeps what there is, says why, and can be asked for again', async () => {
    const here = await opened()
    await ask(here, 'partial')
    const note = here.page.find('.answer .note-bad')
    expect(note.text()).toContain('The chat model stopped in the middle of its answer.')
    expect(here.page.find('.md').text()).toContain('Take the bad node out')
    await note.find('button').trigger('click')
    await settle()
    expect([sent(here), here.page.findAll('.question')]).toMatchObject([2, { length: 2 }])
  })

  test('that never began is no empty answer', async () => {
    const here = await opened()
    await ask(here, 'dead')
    expect(here.page.find('.answer').text()).toContain('There is no answer.')
    expect(here.page.find('.answer .message-foot').exists()).toBe(false)
  })

  test('is stopped by a person, and what is written stays', async () => {
    const here = await opened({ prepare: (state) => void (state.chat.pace = 15) })
    await field(here).setValue('long')
    await field(here).trigger('keydown', enter())
    await vi.waitFor(() => expect(here.page.find('.md').exists()).toBe(true), 20_000)
    await here.page.find('[data-test=stop]').trigger('click')
    await vi.waitFor(() => expect(here.page.text()).toContain('The answer was stopped.'), 5_000)
    expect(here.page.find('.md').exists()).toBe(true)
    expect(here.page.find('[data-test=stop]').exists()).toBe(false)
  })

  test('whose stream broke goes on where it was', async () => {
    const here = await opened({ prepare: (state) => void (state.chat.breakAfter = 6) })
    await ask(here, 'one')
    await vi.waitFor(() => expect(here.page.find('.message-foot').exists()).toBe(true), 5_000)
    expect(here.page.find('.md').text()).toContain('page the network team')
    expect(here.calls.some((call) => call.endsWith('/events'))).toBe(true)
    expect(here.page.findAll('.question')).toHaveLength(1)
  })

  test('opens as it is stored when it is come back to, with its verdict', async () => {
    const here = await opened()
    await ask(here, 'one')
    await here.page.find('.message-foot [aria-label=Helped]').trigger('click')
    await settle()
    expect(here.page.find('.message-foot [role=status]').text()).toBe('Saved.')
    unmountAll()
    const again = await reopened(here)
    const button = again.page.find('.message-foot [aria-label=Helped]')
    expect(button.attributes('aria-pressed')).toBe('true')
    await button.trigger('click')
    await settle()
    expect(again.page.find('.message-foot [aria-label=Helped]').attributes('aria-pressed')).toBe('false')
  })
})

describe('a tool', () => {
  test('is a line with what came of it, and its arguments as text', async () => {
    const here = await opened()
    await ask(here, 'one')
    const line = here.page.find('.tool')
    expect(line.find('summary').text()).toMatch(/Search in the knowledge base.*done.*found 1 passage.*83 ms/)
    expect(line.find('.arguments').text()).toContain('E_CONN_RESET 恢复 pay-gateway restart')
  })

  test.each([
    [true, 'done'],
    [false, 'refused']
  ])('that may change something waits for a person, who says %s', async (approved, state) => {
    const here = await opened()
    await ask(here, 'approve')
    const card = here.page.find('.approval')
    expect(card.text()).toContain('ops__restart_deployment')
    expect(card.text()).toContain('<b>E_CONN_RESET</b> since 02:41')
    expect(card.find('b').exists()).toBe(false)
    expect(here.page.find('[role=status][aria-live]').text()).toBe('Waits for your decision')
    expect(here.calls.some((call) => call.endsWith('/decision'))).toBe(false)
    await card.findAll('button')[approved ? 1 : 0]!.trigger('click')
    await settle()
    expect(here.page.find('.approval').exists()).toBe(false)
    expect(here.page.findAll('.tool').at(-1)?.text()).toContain(state)
    expect(here.page.find('.md').text()).toContain('I went on as you decided')
  })

  test('that somebody else decided about says so', async () => {
    const here = await opened()
    await ask(here, 'approve')
    for (const answer of here.state.chat.answers.values()) answer.decide.clear()
    await here.page.findAll('.approval button')[1]!.trigger('click')
    await settle()
    expect(here.page.find('.approval [role=alert]').text()).toContain('Somebody has decided already')
  })
})

describe('the sources', () => {
  test('open at a marker: where, what, why, the best first, and never as JSON', async () => {
    const here = await opened()
    await ask(here, 'five')
    await here.page.find('button[data-marker="2"]').trigger('click')
    await settle()
    const drawer = here.page.find('dialog.drawer')
    const scores = drawer.findAll('.citation').map((card) => Number(/Rerank\s*#\d+\s*([\d.]+)/.exec(card.text())?.[1]))
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores).toHaveLength(5)
    expect(drawer.find('.citation-here .citation-number').text()).toBe('2')
    expect(drawer.find('.citation').text()).toMatch(/连接被重置 › 恢复 E_CONN_RESET/)
    expect(drawer.find('.citation .quoted mark').exists()).toBe(true)
    expect(drawer.find('.citation').text()).toMatch(/Vector\s*#2\s*0\.778.*Fusion \(RRF\)\s*#4/s)
    expect(drawer.text()).not.toMatch(/[{}]|null|undefined|NaN/)
    const link = drawer.find('.citation a')
    expect(link.text()).toBe('Open the document here')
    expect(link.attributes('href')).toMatch(/^\/documents\/kb-own-doc-0\?chunk=.*&start=\d+&end=\d+$/)
  })

  test('of several searches are apart: the one of the marker first', async () => {
    const here = await opened()
    await ask(here, 'long')
    await here.page.find('button[data-marker="6"]').trigger('click')
    await settle()
    const drawer = here.page.find('dialog.drawer')
    expect(drawer.text()).toContain('The agent searched 2 times for this answer; search 2 is shown first.')
    expect(drawer.find('.citation .citation-number').text()).toBe('6')
    expect(drawer.findAll('details.drawer-other')).toHaveLength(1)
  })

  test('of a document that changed since say so, and of one that is gone show what was seen', async () => {
    const here = await opened()
    await ask(here, 'one')
    const document = here.state.documents.get('kb-own-doc-0')!
    here.state.documents.set(document.id, { ...document, version: 3, indexedVersion: 3 })
    await here.page.find('button.marker').trigger('click')
    await settle()
    expect(here.page.find('.citation').text()).toContain('the agent saw version 1, now there is 3.')
    expect(here.page.find('.citation a').attributes('href')).toBe('/documents/kb-own-doc-0')
    await here.page.find('dialog.drawer [aria-label=Close]').trigger('click')
    here.state.documents.delete(document.id)
    await here.page.find('button.marker').trigger('click')
    await settle()
    expect(here.page.find('.citation').text()).toContain('The document is not there any more')
    expect(here.page.find('.citation .quoted').text()).toContain('pay-gateway')
    expect(here.page.find('.citation a').exists()).toBe(false)
  })

  test('close by Escape, and the focus is back at the marker', async () => {
    const here = await opened()
    await ask(here, 'one')
    const marker = here.page.find<HTMLElement>('button.marker')
    marker.element.focus()
    await marker.trigger('click')
    await settle()
    await here.page.find('dialog.drawer').trigger('cancel')
    await settle()
    expect(here.page.find('dialog.drawer').exists()).toBe(false)
    expect(document.activeElement).toBe(marker.element)
  })

  test('are judged one by one', async () => {
    const here = await opened()
    await ask(here, 'one')
    await here.page.find('button.marker').trigger('click')
    await settle()
    await here.page.find('.citation [aria-label="Did not help"]').trigger('click')
    await settle()
    expect(here.page.find('.citation [aria-label="Did not help"]').attributes('aria-pressed')).toBe('true')
    expect(here.page.find('.message-foot [aria-label="Did not help"]').attributes('aria-pressed')).toBe('false')
  })
})

describe('the list', () => {
  test('renames and deletes, and the conversation that is open gives way to a new one', async () => {
    const here = await opened()
    await ask(here, 'hello')
    await here.page.find('.talk [aria-label^=Rename]').trigger('click')
    await here.page.find('dialog input').setValue(' Night of the resets ')
    await here.page.find('dialog form').trigger('submit')
    await settle()
    expect(here.page.find('.talk-title').text()).toBe('Night of the resets')
    await here.page.find('.talk [aria-label^=Delete]').trigger('click')
    expect(here.page.find('dialog').text()).toContain('“Night of the resets” and its 2 messages')
    await here.page.find('dialog form').trigger('submit')
    await settle()
    expect(here.state.chat.conversations.size).toBe(0)
    expect(here.page.find('.example').exists()).toBe(true)
    expect(here.router.currentRoute.value.path).toBe('/chat')
  })

  test('says what is wrong when it can not be read, and tries again', async () => {
    const here = await opened({ prepare: (state) => void state.broken.add('conversations') })
    expect(here.page.find('.talks [role=alert]').exists()).toBe(true)
    here.state.broken.clear()
    await here.page.find('.talks [role=alert] button:last-of-type').trigger('click')
    await settle()
    expect(here.page.find('.talks').text()).toContain('No conversation yet.')
  })

  test('a conversation that is gone, or somebody else’s, is told as that', async () => {
    const { page } = await opened({ props: { conversationId: 'none' } })
    expect(page.find('.chat-room [role=alert]').text()).toContain('This conversation does not exist any more.')
    expect(page.find('.composer').exists()).toBe(false)
  })
})

describe('a second tab', () => {
  test('follows an answer that the first one asked for, and sees its questions while it is open', async () => {
    const first = await opened()
    await ask(first, 'hello')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const second = await reopened(first)
    expect(second.page.findAll('.question')).toHaveLength(1)
    await ask(first, 'one more')
    vi.advanceTimersByTime(3_000)
    await settle()
    expect(second.page.findAll('.question')).toHaveLength(2)
    expect(second.page.findAll('.md').at(-1)?.text()).toContain('restart pay-gateway')
  })

  test('that is hidden asks nothing', async () => {
    const first = await opened()
    await ask(first, 'hello')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const second = await reopened(first)
    const before = second.calls.length
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    vi.advanceTimersByTime(30_000)
    await settle()
    hidden.mockRestore()
    expect(second.calls).toHaveLength(before)
  })
})

test('what one person typed is not shown to another on the same browser', async () => {
  const Signed = {
    setup() {
      const session = useSession()
      void session.load()
      return () => (session.phase === 'in' ? h(ChatPage) : null)
    }
  }
  const mine = await mountPage(Signed)
  await field(mine).setValue('mine')
  unmountAll()
  expect(field(await mountPage(Signed, { prepare: li })).element.value).toBe('')
  unmountAll()
  expect(field(await mountPage(Signed)).element.value).toBe('mine')
})
