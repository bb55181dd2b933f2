import { afterEach, describe, expect, test } from 'vitest'
import { noChatModel, sampleModels } from '../../../dev/sample-models.ts'
import { mountPage, settle, unmountAll } from '../../test-material/mount-page.ts'
import ModelsPage from './models-page.vue'
import { environmentLines, secretVariables, yamlLines } from './setting-lines.ts'

afterEach(unmountAll)

describe('the models', () => {
  test('say who answers, where, and whether a key is set, without the key', async () => {
    const { page } = await mountPage(ModelsPage)
    const [chat, embedding] = page.findAll('section').map((section) => section.text())
    expect(chat).toMatch(/Chat model\s*Set up.*openai.*qwen-plus.*https:\/\/api\.example\.com.*A key is set/s)
    expect(embedding).toMatch(/Bundled with the product.*On the server itself.*Needs none/s)
  })

  test('are tested one by one, and say in the reader’s language how it went and how long it took', async () => {
    const { page } = await mountPage(ModelsPage, { locale: 'zh' })
    for (const index of [0, 2]) await page.findAll('section')[index]!.find('button:not(.button-icon)').trigger('click')
    await settle()
    const status = page.findAll('[role=status]').map((each) => each.text())
    expect(status[0]).toMatch(/可用.*模型已回应。.*用时 812毫秒/)
    expect(status[1]).toBe('')
    expect(status[2]).toMatch(/无法应答.*8 秒内没有回应/)
  })

  test('a test that the server refuses is a failure of the test, not of the model', async () => {
    const { page } = await mountPage(ModelsPage, { prepare: (state) => void state.broken.add('testModel') })
    await page.find('section button').trigger('click')
    await settle()
    expect(page.find('section [role=alert]').text()).toContain('The test could not be made.')
    expect(page.find('[role=status]').text()).toBe('')
  })

  test('without a chat model the page says what works, what to set and that a restart is needed', async () => {
    const { page } = await mountPage(ModelsPage, { prepare: (state) => void (state.models = [noChatModel]) })
    const text = page.find('section').text()
    expect(text).toMatch(/Not set up.*Chat answers with the evidence alone.*Restart the server/s)
    expect(page.findAll('pre')[0]!.text()).toContain("export KB_CHAT__BASE_URL='https://api.example.com/v1'")
    expect(page.findAll('pre')[1]!.text()).toMatch(/^chat:\n {2}baseUrl: /)
    expect(text).toContain('Not in the file: KB_CHAT__API_KEY.')
    expect(page.findAll('button[aria-label^=Copy]')).toHaveLength(2)
    expect(page.find('button[aria-label^=Test]').exists()).toBe(false)
  })

  test('a list that cannot be had is told, and asked for again', async () => {
    const { page, state } = await mountPage(ModelsPage, { prepare: (each) => void each.broken.add('models') })
    expect(page.find('[role=alert]').text()).toContain('SYSTEM_UNAVAILABLE')
    state.broken.clear()
    await page.find('[role=alert] button:last-of-type').trigger('click')
    await settle()
    expect(page.findAll('section')).toHaveLength(3)
  })
})

describe('lines to be copied', () => {
  const model = {
    ...sampleModels[0]!,
    settings: [
      { name: 'chat.model', variable: 'KB_CHAT__MODEL', example: "it's $(one)" },
      { name: 'retries', variable: 'KB_CHAT__RETRIES', example: '2' },
      { name: 'chat.apiKey', variable: 'KB_CHAT__API_KEY', example: 'k' }
    ]
  }

  test('mean what they say in a shell, whatever is in them', () => {
    expect(environmentLines(model).split('\n')[0]).toBe(String.raw`export KB_CHAT__MODEL='it'\''s $(one)'`)
  })

  test('stand below their section in the file, a key never', () => {
    expect(yamlLines(model)).toBe("chat:\n  model: 'it''s $(one)'\n  retries: 2")
    expect(secretVariables(model)).toEqual(['KB_CHAT__API_KEY'])
  })
})
