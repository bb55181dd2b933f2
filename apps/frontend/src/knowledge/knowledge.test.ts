import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { VueWrapper } from '@vue/test-utils'
import { h, type VNode } from 'vue'
import { useRoute } from 'vue-router'
import { bases } from '../../dev/samples.ts'
import DocumentPage from '../document/document-page.vue'
import { mountPage, settle, unmountAll } from '../test-material/mount-page.ts'
import BasePage from './base-page.vue'
import BasesPage from './bases-page.vue'

beforeEach(() => void vi.spyOn(document, 'hidden', 'get').mockReturnValue(true))
afterEach(() => {
  unmountAll()
  vi.restoreAllMocks()
})

describe('the list of knowledge bases', () => {
  test('shows what each is, and how many documents are in which state', async () => {
    const { page } = await mountPage(BasesPage)
    const cards = page.findAll('.base-card').map((card) => card.text())
    expect(cards[0]).toMatch(/支付平台运维手册.*Yours.*12 documents.*Indexed 9.*Failed 1/s)
    expect(cards[1]).toContain('Shared with you')
    expect(cards[2]).toMatch(/Folder.*10,000 documents/s)
  })

  test('says in Chinese what is there, in Chinese forms', async () => {
    const { page } = await mountPage(BasesPage, { locale: 'zh' })
    expect(page.find('.base-card').text()).toMatch(/我的.*12 个文档.*已索引 9.*失败 1/s)
  })

  test('is empty with a way on', async () => {
    const { page } = await mountPage(BasesPage, { prepare: (state) => state.bases.clear() })
    expect(page.text()).toContain('There is no knowledge base yet.')
  })

  test('fails as a failure, and a try after it shows the list', async () => {
    const { page, state } = await mountPage(BasesPage, { prepare: (each) => void each.broken.add('knowledgeBases') })
    expect(page.find('[role=alert]').text()).toMatch(/temporarily unavailable.*SYSTEM_UNAVAILABLE.*req-/s)
    expect(page.text()).not.toContain('There is no knowledge base yet.')
    state.broken.clear()
    await page.findAll('[role=alert] button').at(-1)!.trigger('click')
    await settle()
    expect(page.findAll('.base-card')).toHaveLength(bases.length)
  })

  test('makes a knowledge base and opens it; a name that is taken is told', async () => {
    const { page, state, router } = await mountPage(BasesPage)
    await page.find('.page-head .button-main').trigger('click')
    await page.find('dialog input').setValue('Drafts')
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(page.find('dialog [role=alert]').text()).toContain('You have a knowledge base of this name already.')
    await page.find('dialog input').setValue('Network')
    await page.find('dialog form').trigger('submit')
    await settle()
    const made = [...state.bases.values()].find(({ name }) => name === 'Network')!
    expect(router.currentRoute.value.path).toBe(`/knowledge/${made.id}`)
  })
})

const own = { props: { baseId: 'kb-own' } }

describe('a knowledge base', () => {
  test('lists its documents with what is wrong with them', async () => {
    const { page } = await mountPage(BasePage, own)
    const rows = page.findAll('tbody tr')
    expect(rows).toHaveLength(12)
    expect(rows[2]!.text()).toMatch(/disk-full.pdf.*Failed.*encrypted.*DOCUMENT_UNREADABLE.*Try again/s)
    expect(rows[1]!.text()).toContain('1 warning')
    expect(rows[5]!.text()).toContain('Older version indexed')
  })

  test('draws one page of ten thousand documents, and goes on to the next', async () => {
    const { page } = await mountPage(BasePage, { props: { baseId: 'kb-folder' } })
    expect(page.findAll('tbody tr')).toHaveLength(50)
    expect(page.find('.pager').text()).toContain('1–50 of 10,000')
    await page.findAll('.pager button')[1]!.trigger('click')
    await settle()
    expect(page.find('.pager').text()).toContain('51–100 of 10,000')
  })

  test('of a folder offers no change', async () => {
    const { page } = await mountPage(BasePage, { props: { baseId: 'kb-folder' } })
    expect(page.text()).toContain('it can be read here, not changed')
    expect(page.findAll('tbody button')).toHaveLength(0)
    expect(page.find('.drop').exists()).toBe(false)
    expect(page.findAll('.tab').map((tab) => tab.text())).toEqual(['Documents', 'Task history'])
  })

  test('finds by state; what matches nothing is told otherwise than what is empty', async () => {
    const { page } = await mountPage(BasePage, own)
    await page.find('.filters[role=search] select').setValue('failed')
    await settle()
    expect(page.findAll('tbody tr')).toHaveLength(1)
    await page.find('.filters[role=search] select').setValue('indexing')
    await settle()
    expect(page.text()).toContain('No document matches this filter.')
  })

  test('indexes a document when asked, and shows that it is queued', async () => {
    const { page, calls } = await mountPage(BasePage, own)
    await page.find('button[aria-label^="Index now: 数据库"]').trigger('click')
    await settle()
    expect(calls).toContain('POST /api/v1/documents/kb-own-doc-3/index-tasks')
    expect(page.findAll('tbody tr')[3]!.text()).toMatch(/Queued.*Cancel task/s)
  })

  test('deletes a document only after a question', async () => {
    const { page, state } = await mountPage(BasePage, own)
    await page.find('button[aria-label="Delete: disk-full.pdf"]').trigger('click')
    expect(state.documents.has('kb-own-doc-2')).toBe(true)
    expect(page.find('dialog').text()).toContain('“disk-full.pdf” cannot be found any more')
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(state.documents.has('kb-own-doc-2')).toBe(false)
    expect(page.findAll('tbody tr')).toHaveLength(11)
  })

  test('is deleted only when its name was typed', async () => {
    const { page, state, router } = await mountPage(BasePage, own)
    await page.find('.page-head .button-danger-quiet').trigger('click')
    const confirm = page.find('dialog .button-danger')
    expect(confirm.attributes('disabled')).toBeDefined()
    await page.find('dialog form').trigger('submit')
    expect(state.bases.has('kb-own')).toBe(true)
    await page.find('dialog input').setValue('支付平台运维手册')
    expect(confirm.attributes('disabled')).toBeUndefined()
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(state.bases.has('kb-own')).toBe(false)
    expect(router.currentRoute.value.path).toBe('/knowledge')
  })

  test('of somebody else does not exist', async () => {
    const { page } = await mountPage(BasePage, { props: { baseId: 'kb-of-another' }, locale: 'zh' })
    expect(page.find('[role=alert]').text()).toMatch(/所请求的内容不存在。.*NOT_FOUND/s)
  })
})

const folder = { props: { baseId: 'kb-folder' } }
const range = (page: VueWrapper): string => page.find('.pager').text()
const turn = async (page: VueWrapper, button: number): Promise<void> => {
  await page.findAll('.pager button')[button]!.trigger('click')
  await settle()
}
/** The list, or a document of it, as the address says. */
const room = (): VNode =>
  useRoute().path === '/documents' ? h(DocumentPage, { documentId: 'kb-folder-doc-120' }) : h(BasePage, folder.props)

describe('the place in a list of documents', () => {
  test('is in the address, and a page that is opened there goes on from it', async () => {
    const first = await mountPage(BasePage, folder)
    await turn(first.page, 1)
    await turn(first.page, 1)
    const { fullPath, query } = first.router.currentRoute.value
    expect(query).toEqual({ page: '3', cursor: '100' })
    const again = await mountPage(BasePage, { ...folder, path: fullPath })
    expect(range(again.page)).toContain('101–150 of 10,000')
    // Nothing tells a new page how the pages between were reached.
    await turn(again.page, 0)
    expect(range(again.page)).toContain('1–50 of')
    expect(again.router.currentRoute.value.query).toEqual({})
  })

  test('is what "back" leads to, with the pages before it', async () => {
    const { page, router } = await mountPage(room)
    await turn(page, 1)
    await turn(page, 1)
    await router.push('/documents')
    await settle()
    const back = page.find('.back')
    expect(back.attributes('href')).toBe('/knowledge/kb-folder?page=3&cursor=100')
    await back.trigger('click')
    await settle()
    expect(range(page)).toContain('101–150 of')
    await turn(page, 0)
    expect(range(page)).toContain('51–100 of')
  })

  test('holds the filters too, and a state that does not exist filters nothing', async () => {
    const { page, router } = await mountPage(BasePage, { ...own, path: '/?name=disk&state=failed' })
    expect((page.find('input[type=search]').element as HTMLInputElement).value).toBe('disk')
    expect(page.findAll('tbody tr').map((row) => row.find('a').text())).toEqual(['disk-full.pdf'])
    await page.find('form select').setValue('')
    await settle()
    expect(router.currentRoute.value.query).toEqual({ name: 'disk' })
    const other = await mountPage(BasePage, { ...own, path: '/?state=nonsense' })
    expect(other.page.findAll('tbody tr')).toHaveLength(12)
  })
})

describe('the task history', () => {
  test('draws two hundred tasks with their reasons', async () => {
    const { page } = await mountPage(BasePage, { props: { baseId: 'kb-own', tab: 'tasks' } })
    const rows = page.findAll('tbody tr')
    expect(rows).toHaveLength(200)
    expect(rows[1]!.text()).toMatch(/Failed.*The embedder did not answer within 30 s\..*SYSTEM_UNAVAILABLE/s)
  })

  test('tries a failed task again as a new one', async () => {
    const { page, state } = await mountPage(BasePage, { props: { baseId: 'kb-own', tab: 'tasks' } })
    await page.find('button[aria-label^="Try again"]').trigger('click')
    await settle()
    expect(state.tasks).toHaveLength(201)
    expect(state.tasks[0]!.retryOfTaskId).toBe('task-past-1')
  })
})

describe('the readers', () => {
  test('are added by their user name and removed', async () => {
    const { page, state } = await mountPage(BasePage, { props: { baseId: 'kb-own', tab: 'readers' } })
    await page.find('.filters input').setValue('former.colleague')
    await page.find('.filters').trigger('submit')
    await settle()
    expect(page.findAll('.rows li').map((row) => row.find('strong').text())).toEqual(['former.colleague', 'li.na'])
    await page.find('button[aria-label="Remove li.na"]').trigger('click')
    await settle()
    expect(state.readers.get('kb-own')!.map(({ username }) => username)).toEqual(['former.colleague'])
  })

  test('somebody who does not exist is told as that', async () => {
    const { page } = await mountPage(BasePage, { props: { baseId: 'kb-own', tab: 'readers' } })
    await page.find('.filters input').setValue('nobody')
    await page.find('.filters').trigger('submit')
    await settle()
    expect(page.find('[role=alert]').text()).toContain('There is nobody of this name.')
  })
})
