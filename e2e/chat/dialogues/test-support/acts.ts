import { join } from 'node:path'
import type { Message } from '@oncall-agent/api-contracts'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { heading } from '../../../page/actions.ts'
import type { Visit } from '../../../page/browser.ts'
import { lookAt } from '../../../page/look.ts'
import type { Scene } from './scene.ts'

/** More stops of the focus than a conversation has before what one looks for. */
const STOPS_LIMIT = 60
/** The narrowest that the page is made for. */
export const TELEPHONE = { width: 380, height: 800 }

/** What people do in the chat, by the words that they read there. */

export async function openChat(here: Visit): Promise<void> {
  await here.page.goto('/chat')
  await heading(here.page, here.texts.t('chat.title')).waitFor()
}

export const answersOf = ({ texts: { t } }: Visit, page: Page): Locator =>
  page.getByRole('article', { name: t('chat.agent'), exact: true })

/** Types a question and sends it by Enter; resolves with its answer as soon as there is one to look at. */
export async function ask(here: Visit, question: string): Promise<Locator> {
  const { page, texts } = here
  const before = await answersOf(here, page).count()
  const field = page.getByLabel(texts.t('chat.question'), { exact: true })
  await field.fill(question)
  await field.press('Enter')
  const answer = answersOf(here, page).nth(before)
  await answer.waitFor()
  return answer
}

/** Until the answer is over, and the next question can be sent. */
export async function untilEnd({ page, texts: { t } }: Visit): Promise<void> {
  await page.getByRole('button', { name: t('chat.stop'), exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t('chat.send'), exact: true }).waitFor()
}

export async function askToEnd(here: Visit, question: string): Promise<Locator> {
  const answer = await ask(here, question)
  await untilEnd(here)
  return answer
}

/** The last answer of the conversation that is open, as the API tells it. */
export async function storedAnswer({ ana }: Scene, { page }: Visit): Promise<Message> {
  const { items } = await ana.api.messages({ params: { id: conversationOf(page) }, query: { limit: 100 } })
  const last = items.findLast(({ role }) => role === 'assistant')
  if (last === undefined) throw new Error('the conversation has no answer')
  return last
}

export function conversationOf(page: Page): string {
  const [, id] = /\/chat\/([^/?#]+)/.exec(page.url()) ?? []
  if (id === undefined) throw new Error(`no conversation is open at ${page.url()}`)
  return decodeURIComponent(id)
}

export const markersOf = (answer: Locator): Locator => answer.locator('button[data-marker]')

export const markerNumbers = async (answer: Locator): Promise<readonly number[]> =>
  (await markersOf(answer).allTextContents()).map(Number)

/** The text of an answer without what stands around it. */
export const textOf = async (answer: Locator): Promise<string> => (await answer.locator('.md').textContent()) ?? ''

export const drawerOf = ({ page, texts: { t } }: Visit): Locator =>
  page.getByRole('dialog', { name: t('chat.sources'), exact: true })

/** The sources in the drawer that are seen without opening more. */
export const cardsOf = (here: Visit): Locator => drawerOf(here).locator('.citations').first().getByRole('listitem')

export async function openMarker(here: Visit, answer: Locator, marker: number): Promise<Locator> {
  await answer.locator(`button[data-marker="${marker}"]`).first().click()
  const drawer = drawerOf(here)
  await drawer.waitFor()
  return drawer
}

export async function closeDrawer(here: Visit): Promise<void> {
  await here.page.keyboard.press('Escape')
  await drawerOf(here).waitFor({ state: 'detached' })
}

/** Moves the focus by a key until it is on something of this name. @throws when it is not reached */
export async function focusBy(page: Page, key: 'Tab' | 'Shift+Tab', name: string): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < STOPS_LIMIT; stop++) {
    await page.keyboard.press(key)
    const here = await focusedName(page)
    if (here === name) return
    passed.push(here)
  }
  throw new Error(`"${name}" is not reached by ${key}: ${passed.join(' | ')}`)
}

export const focusedName = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? '').trim()`
  )

/** Light and dark, wide and narrow; in a telephone's width and light it is only pictured, since only colours differ. */
export async function look(here: Visit, name: string): Promise<void> {
  const faults = await lookAt(here, name)
  const pictures = process.env.ONCALL_PICTURES
  if (pictures !== undefined) {
    const size = here.page.viewportSize()!
    await here.page.setViewportSize(TELEPHONE)
    await here.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    const path = join(pictures, `${name}-${here.texts.locale}-light-${TELEPHONE.width}.png`)
    await here.page.screenshot({ path, fullPage: true })
    await here.page.setViewportSize(size)
  }
  expect(faults).toEqual([])
}
