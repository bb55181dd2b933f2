import { afterEach, describe, expect, test } from 'vitest'
import { mountPage, type Mounted, settle, unmountAll } from '../test-material/mount-page.ts'
import LabPage from './lab-page.vue'

afterEach(unmountAll)

async function ask({ page }: Mounted, question: string): Promise<void> {
  await page.find('textarea').setValue(question)
  await page.find('form').trigger('submit')
  await settle()
}

describe('the retrieval lab', () => {
  test('shows the evidence with its words marked and the ranks and scores of all stages', async () => {
    const lab = await mountPage(LabPage)
    await ask(lab, 'E_CONN_RESET 怎么恢复')
    const [first] = lab.page.findAll('.hit')
    expect(first!.findAll('mark').map((mark) => mark.text())).toContain('E_CONN_RESET')
    expect(first!.find('.scores').text()).toMatch(
      /Rerank\s*#1\s*0\.930.*Vector\s*#2\s*0\.778.*BM25L\s*–\s*Fusion\s*#4\s*0\.0161/s
    )
    expect(first!.find('a').attributes('href')).toBe('/documents/kb-own-doc-0?chunk=kb-own-doc-0%230003')
  })

  test('lists both branches by their own ranks, and every candidate in fused order', async () => {
    const lab = await mountPage(LabPage)
    await ask(lab, 'E_CONN_RESET')
    const [vector, lexical] = lab.page.findAll('.branches tbody')
    expect(vector!.findAll('tr').map((row) => row.find('td').text())).toEqual(
      Array.from({ length: 10 }, (_each, at) => `#${at + 1}`)
    )
    expect(lexical!.findAll('tr')).toHaveLength(6)
    const fused = lab.page.findAll('.scroll tbody tr')
    expect(fused).toHaveLength(12)
    expect(fused[1]!.text()).toContain('–')
  })

  test('keeps the run in the address, and opens it again from there', async () => {
    const lab = await mountPage(LabPage)
    await ask(lab, 'E_CONN_RESET')
    expect(lab.router.currentRoute.value.query).toEqual({ run: 'run-00000001' })
    expect(lab.page.find('.run-head').text()).toContain('run-00000001')
    await lab.page.find('details input').setValue(' run-00000001 ')
    await lab.page.find('details form').trigger('submit')
    await settle()
    expect(lab.calls.at(-1)).toBe('GET /api/v1/retrieval/runs/run-00000001')
    expect(lab.page.findAll('.hit')).toHaveLength(5)
  })

  test('a failure is a failure, with its stage, code and request id, and says nothing of documents', async () => {
    const lab = await mountPage(LabPage)
    await ask(lab, 'please fail')
    const alert = lab.page.find('[role=alert]').text()
    expect(alert).toMatch(/Retrieval failed\..*failed at the stage “Rerank”.*SYSTEM_UNAVAILABLE.*req-/s)
    expect(lab.page.text()).not.toContain('Nothing was found.')
    expect(lab.page.find('.run').exists()).toBe(false)
  })

  test('a failure in Chinese names the stage in Chinese', async () => {
    const lab = await mountPage(LabPage, { locale: 'zh' })
    await ask(lab, 'please fail')
    expect(lab.page.find('[role=alert]').text()).toMatch(/检索失败。.*失败的阶段：重排/s)
  })

  test('nothing found says where it was looked for', async () => {
    const lab = await mountPage(LabPage)
    await lab.page.find('input[value="kb-own"]').setValue(true)
    await ask(lab, 'nothing like it')
    expect(lab.page.find('.run .state').text()).toMatch(/Nothing was found\..*Searched in: 支付平台运维手册\./s)
    expect(lab.page.find('[role=alert]').exists()).toBe(false)
  })

  test('an empty question is not asked', async () => {
    const lab = await mountPage(LabPage)
    await ask(lab, '   ')
    expect(lab.calls).toEqual(['GET /api/v1/knowledge-bases'])
  })

  test('sets a kept run beside the next', async () => {
    const lab = await mountPage(LabPage)
    await ask(lab, 'E_CONN_RESET')
    await lab.page.find('.run-head > .button').trigger('click')
    await lab.page.find('form select').setValue('3')
    await ask(lab, 'restart')
    const table = lab.page.find('section.panel .scroll tbody')
    expect(table.findAll('tr').map((row) => row.findAll('td')[2]!.text())).toEqual([
      'same',
      'same',
      'same',
      'only in A',
      'only in A'
    ])
    expect(lab.router.currentRoute.value.query).toEqual({ run: 'run-00000002', with: 'run-00000001' })
  })

  test('a run that is not there is told as that', async () => {
    const lab = await mountPage(LabPage, { path: '/lab?run=gone' })
    expect(lab.page.find('[role=alert]').text()).toMatch(/This run could not be opened\..*NOT_FOUND/s)
  })
})
