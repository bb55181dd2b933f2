import { afterEach, describe, expect, test, vi } from 'vitest'
import { users } from '../../../dev/samples.ts'
import { useSession } from '../../session/session-store.ts'
import { mountPage, type MountWish, settle, unmountAll } from '../../test-material/mount-page.ts'
import PromptsPage from './prompts-page.vue'

afterEach(() => {
  unmountAll()
  vi.restoreAllMocks()
})

async function listOf(place: 'prompts' | 'skills', wish: MountWish = {}) {
  const mounted = await mountPage(PromptsPage, { props: { place }, path: `/settings/${place}`, ...wish })
  await useSession().load()
  await settle()
  return mounted
}

const front = (name: string, content = 'text'): string => `---\nname: ${name}\ndescription: d\n---\n\n${content}`

async function choose(page: Awaited<ReturnType<typeof listOf>>['page'], files: readonly File[]): Promise<void> {
  const input = page.find('dialog input[type=file]')
  Object.defineProperty(input.element, 'files', { value: files, configurable: true })
  await input.trigger('change')
  await settle()
}

describe('the list', () => {
  test('tells the product’s own from those in its place and from the team’s', async () => {
    const { page } = await listOf('prompts')
    const rows = page.findAll('tbody tr').map((row) => row.text())
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/answer\s*Built in\s*How questions are answered/)
    expect(rows[1]).toMatch(/diagnosis\s*Built in, changed\s*先看证据再下结论/)
  })

  test('is one of skills at the other address', async () => {
    const { page, calls } = await listOf('skills', { locale: 'zh' })
    expect(page.find('h1').text()).toBe('技能')
    expect(page.find('tbody tr').text()).toMatch(/disk-full\s*自建/)
    expect(calls).toContain('GET /api/v1/skills')
    expect(page.find('.tab-here').text()).toBe('技能')
  })

  test('is empty, failed or denied in words', async () => {
    const empty = await listOf('skills', { prepare: (state) => void state.prompts.splice(0) })
    expect(empty.page.find('.state').text()).toContain('There are no skills yet.')
    unmountAll()
    const failed = await listOf('skills', { prepare: (state) => void state.broken.add('skills') })
    expect(failed.page.find('[role=alert]').text()).toContain('SYSTEM_UNAVAILABLE')
    failed.state.broken.clear()
    await failed.page.find('[role=alert] button:last-of-type').trigger('click')
    await settle()
    expect(failed.page.findAll('tbody tr')).toHaveLength(2)
  })
})

describe('files', () => {
  test('of an export are saved in one, as the server wrote them', async () => {
    const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:test')
    const { page } = await listOf('skills')
    await page.findAll('.page-head .button')[1]!.trigger('click')
    await settle()
    const text = await (saved.mock.calls[0]![0] as Blob).text()
    expect(text).toContain('disk-full.md---\nname: disk-full')
    expect(text).toContain('switch-primary.md')
  })

  test('are imported, and how many were new or changed is told', async () => {
    const { page, state } = await listOf('skills')
    await page.find('.page-head .button').trigger('click')
    await choose(page, [new File([front('new-one')], 'new-one.md'), new File([front('disk-full')], 'x.md')])
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(page.find('dialog').exists()).toBe(false)
    expect(state.prompts.map(({ name }) => name)).toContain('new-one')
    expect(state.prompts.find(({ name }) => name === 'disk-full')?.versions[0]?.version).toBe(5)
    expect(page.text()).toContain('new-one')
  })

  test('with a fault are not sent before they are left out', async () => {
    const { page, calls } = await listOf('skills')
    await page.find('.page-head .button').trigger('click')
    await choose(page, [new File([front('good')], 'good.md'), new File(['x'], 'notes.txt')])
    expect(page.find('dialog li:nth-of-type(2)').text()).toContain('This is not a .md file.')
    expect(page.find('dialog .button-main').attributes('disabled')).toBeDefined()
    await page.find('button[aria-label="Leave out notes.txt"]').trigger('click')
    expect(page.find('dialog .button-main').attributes('disabled')).toBeUndefined()
    expect(calls).not.toContain('POST /api/v1/skills/import')
  })

  test('that the server refuses are told by name, and nothing of them is taken', async () => {
    const { page, state } = await listOf('skills')
    const before = state.prompts.length
    await page.find('.page-head .button').trigger('click')
    await choose(page, [
      new File([front('good')], 'good.md'),
      new File([front('Bad Name')], 'bad.md'),
      new File(['no front'], 'plain.md')
    ])
    await page.find('dialog form').trigger('submit')
    await settle()
    const rows = page.findAll('dialog li').map((row) => row.text())
    expect(rows[0]).not.toContain('must')
    expect(rows[1]).toContain('must be words of a-z and 0-9')
    expect(rows[2]).toContain('must begin with front matter')
    expect(page.find('dialog [role=alert]').text()).toContain('Nothing was imported.')
    expect(state.prompts).toHaveLength(before)
  })
})

test('a member reads and writes their own as an administrator does', async () => {
  const { page } = await listOf('prompts', { prepare: (state) => void (state.me = users[1]!) })
  expect(page.findAll('tbody tr')).toHaveLength(2)
  expect(page.find('nav').text()).not.toContain('People')
})
