import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { users } from '../../dev/samples.ts'
import { mountPage, settle, unmountAll } from '../test-material/mount-page.ts'
import SystemPage from './system-page.vue'

beforeEach(() => void vi.spyOn(document, 'hidden', 'get').mockReturnValue(true))
afterEach(() => {
  unmountAll()
  vi.restoreAllMocks()
})

describe('the system room', () => {
  test('tells each part with its latency, and what does not work', async () => {
    const { page } = await mountPage(SystemPage)
    const rows = page
      .find('section')
      .findAll('tbody tr')
      .map((row) => row.text())
    expect(page.find('section').text()).toContain('Not ready')
    expect(rows[0]).toMatch(/Business store\s*OK\s*ok\s*0\.4 ms/)
    expect(rows[3]).toMatch(/Reranker\s*Unavailable\s*The reranker is unavailable\.\s*2 sec/)
  })

  test('names the parts in Chinese', async () => {
    const { page } = await mountPage(SystemPage, { locale: 'zh' })
    const names = page
      .find('section')
      .findAll('tbody th')
      .map((name) => name.text())
    expect(page.findAll('section')[2]!.find('tbody th').text()).toContain('清除已删除的文档')
    expect(names).toEqual(['业务存储', '知识索引', '向量模型', '重排模型'])
  })

  test('tells the size of the index and what waits', async () => {
    const { page } = await mountPage(SystemPage)
    expect(page.findAll('section')[1]!.text()).toMatch(
      /10,012.*84,310.*1\.4 GB.*bundled-small \(384 numbers\).*1\.3 min.*3\.2 days/s
    )
  })

  test('filters jobs by state, and tells why one failed', async () => {
    const { page } = await mountPage(SystemPage)
    const jobs = page.findAll('section')[2]!
    expect(jobs.findAll('tbody tr')).toHaveLength(50)
    await jobs.find('select').setValue('failed')
    await settle()
    expect(jobs.findAll('tbody tr')).toHaveLength(10)
    expect(jobs.find('tbody tr').text()).toContain('The embedder did not answer within 30 s.')
  })

  test('denies a member what is an administrator’s, and shows the rest', async () => {
    const { page } = await mountPage(SystemPage, { prepare: (state) => void (state.me = users[1]!) })
    const [readiness, health, jobs] = page.findAll('section')
    expect(readiness!.findAll('tbody tr')).toHaveLength(4)
    for (const denied of [health!, jobs!])
      expect(denied.find('[role=alert]').text()).toContain('You have no access to this.')
  })
})
