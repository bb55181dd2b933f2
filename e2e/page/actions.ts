import type { Locator, Page } from 'playwright-core'
import type { Visit } from './browser.ts'
import type { SampleFile } from './sample-files.ts'

/** What people do on the page, by the words that they read there. */

export async function signInByForm({ page, texts: { t } }: Visit, username: string, password: string): Promise<void> {
  await page.getByLabel(t('session.username'), { exact: true }).fill(username)
  await page.getByLabel(t('session.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('session.signIn'), exact: true }).click()
}

export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name, exact: true })

/** Goes to a room by the links beside the page. */
export async function goTo({ page, texts: { t } }: Visit, room: 'chat' | 'knowledge' | 'lab' | 'system' | 'settings') {
  await page
    .getByRole('navigation', { name: t('common.rooms'), exact: true })
    .getByRole('link', { name: t(`${room}.title`), exact: true })
    .click()
  await heading(page, t(`${room}.title`)).waitFor()
}

export async function createBase({ page, texts: { t } }: Visit, name: string): Promise<void> {
  await page.getByRole('button', { name: t('knowledge.create'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('knowledge.create'), exact: true })
  await dialog.getByLabel(t('knowledge.name'), { exact: true }).fill(name)
  await dialog.getByRole('button', { name: t('common.save'), exact: true }).click()
  await heading(page, name).waitFor()
}

/** By the button and the browser's own chooser. */
export async function chooseFiles({ page, texts: { t } }: Visit, files: readonly SampleFile[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: t('upload.chooseFiles'), exact: true }).click()
  ])
  await chooser.setFiles([...files])
}

/** As files dragged from elsewhere arrive. */
export async function dropFiles({ page, texts: { t } }: Visit, files: readonly SampleFile[]): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: buffer.toString('base64') }))
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    for (const { name, mimeType, bytes } of ${JSON.stringify(given)})
      transfer.items.add(new File([Uint8Array.fromBase64(bytes)], name, { type: mimeType }))
    return transfer
  })()`)
  const place = page.getByText(t('upload.drop'), { exact: true })
  await place.dispatchEvent('dragover', { dataTransfer })
  await place.dispatchEvent('drop', { dataTransfer })
}

/** The row of a table that is about something. */
export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })

/** The entry of a file in the list of what is being sent. */
export const uploadOf = ({ page, texts: { t } }: Visit, name: string): Locator =>
  page
    .getByRole('region', { name: t('upload.title'), exact: true })
    .getByRole('listitem')
    .filter({ hasText: name })

export async function untilState({ page, texts: { t } }: Visit, name: string, state: 'indexed' | 'failed') {
  await rowOf(page, name)
    .getByText(t(`document.states.${state}`), { exact: true })
    .waitFor()
}

/** In the lab: asks and waits for what comes of it. */
export async function ask({ page, texts: { t } }: Visit, question: string): Promise<void> {
  await page.getByLabel(t('lab.query'), { exact: true }).fill(question)
  await page.getByRole('button', { name: t('lab.ask'), exact: true }).click()
  await outcomeOf(page, t('lab.run')).waitFor()
}

/** In the lab's structured search: sends the form as it is. */
export async function search({ page, texts: { t } }: Visit): Promise<void> {
  const form = page.getByRole('search', { name: t('search.form'), exact: true })
  await form.getByRole('button', { name: t('search.ask'), exact: true }).click()
}

/** A run, or why there is none. */
export const outcomeOf = (page: Page, run: string): Locator =>
  page.getByRole('article', { name: run }).or(page.getByRole('alert'))

/** Confirms what is asked in a dialog. */
export async function confirm({ page }: Visit, title: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}
