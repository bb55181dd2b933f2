import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Component } from 'vue'
import { users } from '../../../dev/samples.ts'
import { useSession } from '../../session/session-store.ts'
import { mountPage, type Mounted, type MountWish, settle, unmountAll } from '../../test-material/mount-page.ts'
import NewServerPage from './new-server-page.vue'
import ServerPage from './server-page.vue'
import ServersPage from './servers-page.vue'

afterEach(() => {
  unmountAll()
  vi.restoreAllMocks()
})

async function open(room: Component, wish: MountWish = {}): Promise<Mounted> {
  const mounted = await mountPage(room, wish)
  await useSession().load()
  await settle()
  return mounted
}
const server = (serverId: string, wish: MountWish = {}): Promise<Mounted> =>
  open(ServerPage, { props: { serverId }, path: `/settings/servers/${serverId}`, ...wish })
async function press({ page }: Mounted, name: string): Promise<void> {
  const button = page.findAll('button').find((each) => each.text() === name || each.attributes('aria-label') === name)
  expect(button, name).toBeDefined()
  await button!.trigger('click')
  await settle()
}
const asMember: MountWish = { prepare: (state) => void (state.me = users[1]!) }
const kept = ({ state }: Mounted, id: string) => state.servers.find((each) => each.id === id)!

describe('the list', () => {
  test('tells the health of each in a word and a shape, and why one failed', async () => {
    const { page } = await open(ServersPage)
    const rows = page.findAll('tbody tr')
    expect(rows.map((row) => row.find('.badge').text())).toEqual([
      'Connected',
      'Failed',
      'Switched off',
      'Not used yet'
    ])
    const shapes = rows.map((row) => row.find('.badge path').attributes('d'))
    expect(new Set(shapes).size).toBe(4)
    expect(rows[1]!.text()).toContain('The server did not answer within 15 s.')
  })

  test('switches one off and on, and shows what the server says when it refuses', async () => {
    const mounted = await open(ServersPage)
    const box = () => mounted.page.find<HTMLInputElement>('tbody input[role=switch]')
    await box().setValue(false)
    await settle()
    expect(kept(mounted, 'mcp-cls').enabled).toBe(false)
    expect(mounted.page.find('tbody .badge').text()).toBe('Switched off')
    mounted.state.broken.add('changeMcpServer')
    await box().setValue(true)
    await settle()
    expect([kept(mounted, 'mcp-cls').enabled, box().element.checked]).toEqual([false, false])
  })

  test('is empty or failed in words', async () => {
    const empty = await open(ServersPage, { prepare: (state) => void state.servers.splice(0), locale: 'zh' })
    expect(empty.page.find('.state').text()).toContain('还没有工具服务器')
    unmountAll()
    const failed = await open(ServersPage, { prepare: (state) => void state.broken.add('mcpServers') })
    expect(failed.page.find('[role=alert]').text()).toContain('SYSTEM_UNAVAILABLE')
  })
})

describe('a new one', () => {
  const path = '/settings/servers/new'

  test('from the ready-made entry is added when its values are given, its secrets never shown', async () => {
    const mounted = await open(NewServerPage, { path: `${path}?template=cls` })
    const { page, state } = mounted
    expect(page.find('form').text()).toContain('with your own access key')
    expect(page.find('form').text()).toContain('A variable, header or secret has no value.')
    expect(page.find('form .button-main').attributes('disabled')).toBeDefined()
    await page.find('form input').setValue('logs')
    await page.find('input[aria-label="Value of TENCENTCLOUD_REGION"]').setValue('ap-beijing')
    for (const input of page.findAll('form input[type=password]')) await input.setValue('very-secret')
    await page.find('form').trigger('submit')
    await settle()
    expect(state.servers[0]).toMatchObject({
      name: 'logs',
      connection: { args: ['-y', 'cls-mcp-server'], env: { TENCENTCLOUD_REGION: 'ap-beijing' } },
      secretNames: ['TENCENTCLOUD_SECRET_ID', 'TENCENTCLOUD_SECRET_KEY'],
      allowedTools: []
    })
    expect(mounted.router.currentRoute.value.path).toBe(`/settings/servers/${state.servers[0]!.id}`)
  })

  test('a name that is taken is told, and what was written stays', async () => {
    const { page } = await open(NewServerPage, { path: `${path}?template=hand` })
    await page.find('form input').setValue('wiki')
    await page.find('form input[type=url]').setValue('https://wiki.example.com/mcp')
    await page.find('form').trigger('submit')
    await settle()
    expect(page.find('form [role=alert]').text()).toContain('You have a tool server of this name already')
    expect(page.find<HTMLInputElement>('form input[type=url]').element.value).toBe('https://wiki.example.com/mcp')
  })

  test('that is a program is not offered to a member, who sees why', async () => {
    const { page } = await open(NewServerPage, { path: `${path}?template=hand`, ...asMember })
    expect(page.find('.base-card').find('a').exists()).toBe(false)
    expect(page.find('.base-card').text()).toContain('Only an administrator adds or changes programs')
    expect(page.find('input[value=stdio]').attributes('disabled')).toBeDefined()
    expect(page.find('input[value=http]').attributes('disabled')).toBeUndefined()
  })

  test('can be made by hand although the ready-made entries cannot be had', async () => {
    const { page } = await open(NewServerPage, { path, prepare: (state) => void state.broken.add('mcpTemplates') })
    expect(page.find('[role=alert]').exists()).toBe(true)
    expect(page.findAll('.base-card').map((card) => card.find('a').text())).toEqual(['Another one, by hand'])
  })

  test('is asked about when it is left half written', async () => {
    const mounted = await open(NewServerPage, { path: `${path}?template=hand` })
    await mounted.page.find('form input').setValue('half')
    void mounted.router.push('/settings/servers')
    await settle()
    expect(mounted.page.find('dialog').text()).toContain('Leave without saving?')
  })
})

describe('one server', () => {
  test('shows that secrets are kept, replaces one and removes another', async () => {
    const mounted = await server('mcp-cls')
    const { page } = mounted
    expect(page.findAll('input[type=password]')).toHaveLength(0)
    await press(mounted, 'Replace TENCENTCLOUD_SECRET_ID')
    await press(mounted, 'Remove TENCENTCLOUD_SECRET_KEY')
    expect(page.text()).toContain('Will be removed')
    await page.find('input[type=password]').setValue('new one')
    await page.find('form').trigger('submit')
    await settle()
    expect(kept(mounted, 'mcp-cls').secretNames).toEqual(['TENCENTCLOUD_SECRET_ID'])
    expect(page.html()).not.toContain('new one')
    expect(page.find('form .button-main').attributes('disabled')).toBeDefined()
  })

  test('warns before kept secrets go to another place, or in the clear', async () => {
    const { page } = await server('mcp-tickets')
    expect(page.text()).not.toContain('will be given to the new')
    await page.find('form input[type=url]').setValue('http://elsewhere.example.com/mcp')
    expect(page.text()).toContain('will be given to the new command or address')
    expect(page.text()).toContain('This address is not encrypted')
  })

  test('keeps what was written when saving fails', async () => {
    const { page } = await server('mcp-new', { prepare: (state) => void state.broken.add('changeMcpServer') })
    await page.find('form input').setValue('renamed')
    await page.find('form').trigger('submit')
    await settle()
    expect(page.find('form [role=alert]').text()).toContain('What you wrote is still here.')
    expect(page.find<HTMLInputElement>('form input').element.value).toBe('renamed')
  })

  test('that is a program is a member’s to see, not to change', async () => {
    const { page } = await server('mcp-cls', asMember)
    expect(page.text()).toContain('Only an administrator adds or changes programs')
    expect(page.find('form fieldset').attributes('disabled')).toBeDefined()
    expect(page.find('input[role=switch]').attributes('disabled')).toBeDefined()
    expect(page.text()).not.toContain('Check now')
    expect(page.find('.page-head .button-danger-quiet').exists()).toBe(true)
  })

  test('is deleted after a question', async () => {
    const mounted = await server('mcp-old')
    await press(mounted, 'Delete')
    expect(mounted.page.find('dialog').text()).toContain('with its secrets')
    await mounted.page.find('dialog form').trigger('submit')
    await settle()
    expect(mounted.state.servers.map(({ id }) => id)).not.toContain('mcp-old')
    expect(mounted.router.currentRoute.value.path).toBe('/settings/servers')
  })

  test('of somebody else does not exist', async () => {
    const { page } = await server('mcp-nobody')
    expect(page.find('[role=alert]').text()).toContain('NOT_FOUND')
  })
})

const checked = async (serverId = 'mcp-cls', wish: MountWish = {}): Promise<Mounted> => {
  const mounted = await server(serverId, wish)
  await press(mounted, 'Check now')
  return mounted
}

describe('the tools of a server', () => {
  test('are shown in its own words, as text', async () => {
    const { page } = await checked()
    const tools = page.findAll('.tool-item')
    expect(tools).toHaveLength(4)
    expect(tools[2]!.text()).toContain('<img src=x onerror=alert(1)>')
    expect(page.find('img').exists()).toBe(false)
    expect(page.text()).toContain('cls-mcp-server <b>')
    expect(tools[0]!.text()).toContain('says: only reads (not checked)')
    expect(tools[2]!.text()).toContain('may change things')
    expect(page.find('.note-warn').text()).toContain('nobody has checked that')
  })

  test('ask each time when they are newly allowed, and run without asking only when that is chosen', async () => {
    const mounted = await checked('mcp-new')
    const tool = () => mounted.page.findAll('.tool-item')[0]!
    expect(kept(mounted, 'mcp-new').allowedTools).toEqual([])
    await tool().find('input').setValue(true)
    await settle()
    expect(kept(mounted, 'mcp-new').allowedTools).toEqual([{ name: 'SearchLog', permission: 'ask' }])
    await tool().find('select').setValue('allow')
    await settle()
    expect(kept(mounted, 'mcp-new').allowedTools).toEqual([{ name: 'SearchLog', permission: 'allow' }])
    expect(tool().text()).toContain('Runs without anybody being asked.')
    await tool().find('input').setValue(false)
    await settle()
    expect(kept(mounted, 'mcp-new').allowedTools).toEqual([])
  })

  test('chosen faster than they are saved are all saved', async () => {
    const mounted = await checked('mcp-new')
    const boxes = mounted.page.findAll('.tool-item input')
    for (const box of boxes) void box.setValue(true)
    await settle()
    expect(kept(mounted, 'mcp-new').allowedTools).toHaveLength(4)
  })

  test('are shown as they were when a choice was not saved', async () => {
    const mounted = await checked('mcp-new', { prepare: (state) => void state.broken.add('changeMcpServer') })
    await mounted.page.find('.tool-item input').setValue(true)
    await settle()
    expect(mounted.page.find<HTMLInputElement>('.tool-item input').element.checked).toBe(false)
    expect(mounted.page.find('[role=alert]').text()).toContain('The choice was not saved.')
  })

  test('can all be allowed, each asking, or all be taken back', async () => {
    const mounted = await checked('mcp-new')
    await press(mounted, 'Allow all, each asks')
    expect(kept(mounted, 'mcp-new').allowedTools.map(({ permission }) => permission)).toEqual(Array(4).fill('ask'))
    await press(mounted, 'Allow none')
    expect(kept(mounted, 'mcp-new').allowedTools).toEqual([])
  })

  test('that changed since they were allowed say so, until they are allowed anew as they are shown', async () => {
    const mounted = await checked()
    const first = () => mounted.page.findAll('.tool-item')[0]!.text()
    expect(first()).toContain('Has changed since it was allowed: asks each time.')
    expect(first()).not.toContain('Runs without anybody being asked.')
    expect(mounted.page.text().match(/Has changed since/g)).toHaveLength(1)
    // Another tool's choice says nothing of this one.
    await mounted.page.findAll('.tool-item')[3]!.find('input').setValue(true)
    await settle()
    await press(mounted, 'Check now')
    expect(first()).toContain('Has changed since it was allowed')
    await press(mounted, 'Allow SearchLog anew, as it is shown')
    expect(first()).toContain('Runs without anybody being asked.')
    await press(mounted, 'Check now')
    expect(first()).not.toContain('Has changed')
    expect(kept(mounted, 'mcp-cls').allowedTools[0]).toEqual({ name: 'SearchLog', permission: 'allow' })
  })

  test('that are gone from the server are named, and can be taken back', async () => {
    const mounted = await checked()
    expect(mounted.page.text()).toContain('Allowed, but the server no longer has them')
    await press(mounted, 'Take back OldTool')
    expect(kept(mounted, 'mcp-cls').allowedTools.map(({ name }) => name)).toEqual(['SearchLog', 'DescribeTopics'])
  })

  test('cannot be had from a server that does not answer, which is told', async () => {
    const { page } = await checked('mcp-tickets')
    expect(page.find('.facts').text()).toContain('The server did not answer within 15 s.')
    expect(page.find('.tool-item').exists()).toBe(false)
    expect(page.text()).not.toContain('The server has no tools.')
  })

  test('are not asked for while the form has unsaved changes', async () => {
    const { page } = await server('mcp-new')
    await page.find('form input').setValue('renamed')
    const button = page.findAll('button').find((each) => each.text() === 'Check now')
    expect(button!.attributes('disabled')).toBeDefined()
    expect(page.text()).toContain('what is saved is checked')
  })
})
