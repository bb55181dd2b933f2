import { afterEach, describe, expect, test } from 'vitest'
import { mountPage, settle, unmountAll } from '../test-material/mount-page.ts'
import { useSession } from '../session/session-store.ts'
import AppRoot from './app-root.vue'

afterEach(unmountAll)

describe('who comes to the page', () => {
  test('makes the first account while there is none, and is in', async () => {
    const { page } = await mountPage(AppRoot, { scene: 'first' })
    expect(page.text()).toContain('Create the first account')
    const [username, password, again] = page.findAll('input')
    await username!.setValue('wang.wei')
    await password!.setValue('a long password')
    await again!.setValue('another password')
    expect(page.text()).toContain('The two passwords differ.')
    await again!.setValue('a long password')
    await page.find('form').trigger('submit')
    await settle()
    expect(page.find('nav').text()).toContain('Knowledge')
    expect(page.text()).toContain('wang.wei')
  })

  test('is told in their language that a password is wrong, with the id to ask with', async () => {
    const { page } = await mountPage(AppRoot, { scene: 'out', locale: 'zh' })
    const [username, password] = page.findAll('input')
    await username!.setValue('wang.wei')
    await password!.setValue('wrong-password')
    await page.find('form').trigger('submit')
    await settle()
    const alert = page.find('[role=alert]').text()
    expect(alert).toContain('用户名或密码错误。')
    expect(alert).toMatch(/req-\d+/)
  })

  test('signs in again where the session ended, at the same address', async () => {
    const { page, router } = await mountPage(AppRoot, { path: '/lab?run=run-1' })
    useSession().expire()
    await settle()
    expect(page.text()).toContain('Your session has ended')
    await page.findAll('input')[0]!.setValue('wang.wei')
    await page.findAll('input')[1]!.setValue('right')
    await page.find('form').trigger('submit')
    await settle()
    expect(page.find('nav').exists()).toBe(true)
    expect(router.currentRoute.value.fullPath).toBe('/lab?run=run-1')
  })

  test('sees that the server does not answer, and may try again', async () => {
    const { page, state } = await mountPage(AppRoot, { prepare: (each) => void each.broken.add('me') })
    expect(page.find('[role=alert]').text()).toContain('The server did not say who you are.')
    state.broken.clear()
    await page.find('[role=alert] button:last-of-type').trigger('click')
    await settle()
    expect(page.find('nav').exists()).toBe(true)
  })

  test('signs out', async () => {
    const { page, state } = await mountPage(AppRoot)
    await page.find('button[aria-label="Sign out"]').trigger('click')
    await settle()
    expect(state.me).toBeNull()
    expect(page.find('h1').text()).toBe('Sign in')
    expect(page.text()).not.toContain('Your session has ended')
  })
})

test('the language and the colours can be changed before signing in', async () => {
  const { page } = await mountPage(AppRoot, { scene: 'out' })
  const labels = page.findAll('select').map((select) => select.attributes('aria-label'))
  expect(labels).toEqual(['Language', 'Colours'])
})
