import { afterEach, describe, expect, test, vi } from 'vitest'
import { sampleCalls } from '../../../dev/sample-calls.ts'
import { users } from '../../../dev/samples.ts'
import { useSession } from '../../session/session-store.ts'
import { mountPage, type Mounted, type MountWish, settle, unmountAll } from '../../test-material/mount-page.ts'
import AuditPage from './audit-page.vue'
import CallPage from './call-page.vue'
import { laidOut } from './call-looks.ts'

afterEach(() => {
  unmountAll()
  vi.useRealTimers()
})

/** Behind a session: who one is decides whose calls are offered. */
async function audit(path = '/system/audit', wish: MountWish = {}): Promise<Mounted> {
  const mounted = await mountPage(AuditPage, { path, ...wish })
  await useSession().load()
  await settle()
  return mounted
}
const rowsOf = ({ page }: Mounted): string[] => page.findAll('tbody tr').map((row) => row.text())
const queryOf = ({ router }: Mounted) => router.currentRoute.value.query
const asMember: MountWish = { prepare: (state) => void (state.me = users[1]!) }
const mine = sampleCalls.filter(({ userId }) => userId === 'u-1')

describe('the audit', () => {
  test('tells tool, status with its reason, time and conversation of the own calls, newest first', async () => {
    const mounted = await audit()
    const rows = rowsOf(mounted)
    expect(rows).toHaveLength(50)
    expect(rows[0]).toMatch(/knowledge_retrieval\s*OK\s*7 minutes ago\s*Chat\s*40 ms\s*Open/)
    expect(rows[2]).toMatch(/cls__DeleteTopic\s*Refused\s*A person did not allow this call/)
    expect(mounted.page.find('.pager').text()).toContain(`of ${mine.length}`)
    expect(mounted.page.find('tbody td a').attributes('href')).toBe('/chat/conversation-0')
  })

  test('is filtered by tool and status, and the address says so', async () => {
    const mounted = await audit()
    await mounted.page.find('select').setValue('refused')
    await mounted.page.find('input[type=search]').setValue(' cls__DeleteTopic ')
    await mounted.page.find('form').trigger('submit')
    await settle()
    const expected = mine.filter(({ tool, status }) => tool === 'cls__DeleteTopic' && status === 'refused')
    expect(expected.length).toBeGreaterThan(3)
    expect(rowsOf(mounted)).toHaveLength(expected.length)
    expect(queryOf(mounted)).toEqual({ tool: 'cls__DeleteTopic', status: 'refused' })
  })

  test('asks for a name when it was written, once', async () => {
    const mounted = await audit()
    const before = mounted.calls.length
    for (const text of ['p', 'pr', 'prometheus_query']) await mounted.page.find('input[type=search]').setValue(text)
    expect(mounted.calls).toHaveLength(before)
    await vi.waitFor(() => expect(mounted.calls).toHaveLength(before + 1))
    await settle()
    expect(rowsOf(mounted).every((row) => row.includes('prometheus_query'))).toBe(true)
  })

  test('shows what its address asks for, and takes nothing else from it', async () => {
    const mounted = await audit('/system/audit?status=cancelled&whose=everybody')
    const expected = sampleCalls.filter(({ status }) => status === 'cancelled')
    expect(expected.some(({ userId }) => userId !== 'u-1')).toBe(true)
    await settle()
    expect(rowsOf(mounted)).toHaveLength(expected.length)
    unmountAll()
    const odd = await audit('/system/audit?status=nonsense')
    expect(rowsOf(odd)).toHaveLength(50)
  })

  test('of one conversation is left again', async () => {
    const mounted = await audit('/system/audit?conversation=conversation-1')
    expect(rowsOf(mounted)).toHaveLength(
      mine.filter(({ conversationId }) => conversationId === 'conversation-1').length
    )
    await mounted.page.find('.filters .button').trigger('click')
    await settle()
    expect([rowsOf(mounted).length, queryOf(mounted)]).toEqual([50, {}])
  })

  test('shows everybody’s calls to an administrator who asks, with their names', async () => {
    const mounted = await audit()
    expect(mounted.page.find('table').text()).not.toContain('li.na')
    await mounted.page.find('input[type=checkbox]').setValue(true)
    await settle()
    expect(mounted.page.find('table').text()).toContain('li.na')
    // Whose account is gone is named by their id.
    expect(mounted.page.find('table').text()).toContain('u-2')
    expect(queryOf(mounted)).toEqual({ whose: 'everybody' })
    const theirs = mounted.page.findAll('tbody tr').find((row) => row.text().includes('li.na'))!
    expect(theirs.findAll('a').map((link) => link.attributes('href'))).toEqual([
      expect.stringMatching(/^\/system\/audit\/call-/)
    ])
  })

  test('offers a member their own calls only, whatever the address says', async () => {
    const mounted = await audit('/system/audit?whose=everybody', asMember)
    expect(mounted.page.find('input[type=checkbox]').exists()).toBe(false)
    expect(rowsOf(mounted)).toHaveLength(sampleCalls.filter(({ userId }) => userId === 'u-2').length)
    expect(mounted.page.find('[role=alert]').exists()).toBe(false)
  })

  test('is empty, filtered to nothing, failed or denied in words', async () => {
    const empty = await audit('/system/audit', { prepare: (state) => void state.calls.splice(0) })
    expect(empty.page.find('.state').text()).toBe('No tool was called yet.')
    unmountAll()
    const none = await audit('/system/audit?tool=none', { locale: 'zh' })
    expect(none.page.find('.state').text()).toBe('没有符合条件的调用。')
    unmountAll()
    const failed = await audit('/system/audit', { prepare: (state) => void state.broken.add('toolCalls') })
    expect(failed.page.find('[role=alert]').text()).toContain('SYSTEM_UNAVAILABLE')
    failed.state.broken.clear()
    await failed.page.find('[role=alert] button:last-of-type').trigger('click')
    await settle()
    expect(rowsOf(failed)).toHaveLength(50)
  })
})

async function call(callId: string, wish: MountWish = {}): Promise<Mounted> {
  const mounted = await mountPage(CallPage, { props: { callId }, path: `/system/audit/${callId}`, ...wish })
  await useSession().load()
  await settle()
  return mounted
}

describe('one call', () => {
  test('has its arguments laid out as text, its result, size and digest', async () => {
    const { page } = await call('call-1')
    expect(page.find('h1').text()).toBe('cls__SearchLog')
    expect(page.findAll('pre')[0]!.text()).toContain('  "Query": "level:ERROR AND <script>alert(1)</script>"')
    expect(page.find('pre script').exists()).toBe(false)
    expect(page.text()).toContain('c4'.repeat(32))
    expect(page.text()).toContain('1.2 kB')
    expect(page.find('a[href="/settings/servers/mcp-cls"]').exists()).toBe(true)
    expect(page.find('a[href="/chat/conversation-1"]').exists()).toBe(true)
  })

  test('says why it failed, and that there is no result', async () => {
    const { page } = await call('call-3', { locale: 'zh' })
    expect(page.text()).toContain('A person did not allow this call.')
    expect(page.text()).toContain('没有结果。')
  })

  test('of somebody else leads an administrator to no conversation and no server that are not theirs', async () => {
    const { page } = await call('call-8')
    expect(page.find('h1').text()).toBe('cls__DeleteTopic')
    expect(page.text()).toContain('One of theirs')
    const links = page.findAll('dd a').map((link) => link.attributes('href'))
    expect(links).toEqual(['/system/audit?whose=everybody&conversation=conversation-0'])
  })

  test('of somebody else does not exist for a member', async () => {
    const { page } = await call('call-0', asMember)
    expect(page.find('[role=alert]').text()).toContain('NOT_FOUND')
  })
})

test('arguments that were cut are shown as they are', () => {
  expect(laidOut('{"query":"up… (cut')).toBe('{"query":"up… (cut')
  expect(laidOut('[1]')).toBe('[\n  1\n]')
})
