import { afterEach, describe, expect, test } from 'vitest'
import type { Component } from 'vue'
import { users } from '../../dev/samples.ts'
import AppRoot from '../app/app-root.vue'
import { useSession } from '../session/session-store.ts'
import { mountPage, settle, unmountAll } from '../test-material/mount-page.ts'
import PeoplePage from './people-page.vue'
import SettingsPage from './settings-page.vue'

afterEach(unmountAll)

/** The room behind a session: who one is decides what is offered. */
async function settingsOf(user: (typeof users)[number], room: Component = SettingsPage) {
  const mounted = await mountPage(room, { prepare: (state) => void (state.me = user) })
  await useSession().load()
  await settle()
  return mounted
}

describe('API keys', () => {
  test('a new key is shown once, and never in the list', async () => {
    const { page, state } = await settingsOf(users[0]!)
    expect(page.text()).toContain('You have no keys.')
    await page.findAll('section')[1]!.find('.actions button').trigger('click')
    await page.find('dialog input').setValue('nightly')
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(page.find('.secret').text()).toBe('oncall_9f3a_only-for-looking-at-the-page')
    await page.find('dialog .button-main').trigger('click')
    expect(page.text()).not.toContain('only-for-looking')
    expect(page.find('tbody').text()).toMatch(/nightly.*oncall_9f3a….*Retrieve.*never/s)
    expect(state.keys[0]!.scopes).toEqual(['retrieve'])
  })

  test('a key without any right cannot be made', async () => {
    const { page } = await settingsOf(users[0]!)
    await page.findAll('section')[1]!.find('.actions button').trigger('click')
    await page.find('dialog input[value=retrieve]').setValue(false)
    expect(page.find('dialog .button-main').attributes('disabled')).toBeDefined()
  })

  test('a member is not offered what only an administrator’s key may have', async () => {
    const { page } = await settingsOf(users[1]!)
    await page.findAll('section')[1]!.find('.actions button').trigger('click')
    const offered = page.findAll('dialog input[type=checkbox]').map((box) => box.attributes('value'))
    expect(offered).toEqual(['retrieve', 'ingest', 'alerts'])
  })

  test('a key is revoked after a question', async () => {
    const { page, state } = await settingsOf(users[0]!)
    state.keys.push({ id: 'k1', name: 'old', scopes: ['ingest'], prefix: 'oncall_1', createdAt: 1, lastUsedAt: null })
    await page.findAll('section')[1]!.find('.actions button').trigger('click')
    await page.find('dialog input').setValue('new')
    await page.find('dialog form').trigger('submit')
    await settle()
    await page.find('dialog .button-main').trigger('click')
    await page.find('button[aria-label="Revoke old"]').trigger('click')
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(state.keys.map(({ name }) => name)).toEqual(['new'])
  })
})

describe('people', () => {
  test('are an administrator’s to see', async () => {
    const { page, calls } = await settingsOf(users[1]!, PeoplePage)
    expect(page.text()).toContain('Accounts are an administrator’s to see and to change.')
    expect(page.find('nav').text()).not.toContain('People')
    expect(calls).not.toContain('GET /api/v1/users')
  })

  test('nobody takes their own rights away', async () => {
    const { page } = await settingsOf(users[0]!, PeoplePage)
    const own = page.findAll('section')[0]!.find('tbody tr')
    expect(own.text()).toContain('you')
    expect(own.find('select').attributes('disabled')).toBeDefined()
    expect(own.find('button').exists()).toBe(false)
  })

  test('are added, and a name that is taken is told', async () => {
    const { page, state } = await settingsOf(users[0]!, PeoplePage)
    await page.findAll('section')[0]!.find('.actions button').trigger('click')
    const [username, password] = page.findAll('dialog input')
    await username!.setValue('li.na')
    await password!.setValue('a long password')
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(page.find('dialog [role=alert]').text()).toContain('This user name is taken.')
    await username!.setValue('zhao.min')
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(state.users[0]).toMatchObject({ username: 'zhao.min', role: 'member' })
    expect(page.find('dialog').exists()).toBe(false)
  })

  test('change their role, are disabled after a question and enabled again', async () => {
    const { page, state } = await settingsOf(users[0]!, PeoplePage)
    await page.find('select[aria-label="Role of li.na"]').setValue('admin')
    await settle()
    expect(state.users[1]!.role).toBe('admin')
    await page.find('button[aria-label="Disable li.na"]').trigger('click')
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(state.users[1]!.disabledAt).not.toBeNull()
    await page.find('button[aria-label="Enable li.na"]').trigger('click')
    await settle()
    expect(state.users[1]!.disabledAt).toBeNull()
  })
})

describe('the password', () => {
  test('is changed only when it was written twice alike', async () => {
    const { page, calls } = await settingsOf(users[0]!)
    const [current, next, again] = page.findAll('section')[0]!.findAll('input[type=password]')
    await current!.setValue('old password')
    await next!.setValue('a long password')
    await again!.setValue('another one')
    await page.find('section form').trigger('submit')
    expect(calls).not.toContain('PUT /api/v1/auth/password')
    await again!.setValue('a long password')
    await page.find('section form').trigger('submit')
    await settle()
    expect(calls).toContain('PUT /api/v1/auth/password')
    expect((current!.element as HTMLInputElement).value).toBe('')
  })
})

test('the shell marks the room one is in', async () => {
  const { page } = await mountPage(AppRoot, { path: '/settings' })
  expect(page.find('.room[aria-current=page]').text()).toBe('Settings')
})
