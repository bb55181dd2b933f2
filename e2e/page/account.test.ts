import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap, PASSWORD, signIn } from '../service/people.ts'
import { heading, signInByForm } from './actions.ts'
import { type Bench, openBench } from './bench.ts'
import { browserPath } from './browser.ts'
import { locales } from './texts.ts'

const NEW_PASSWORD = 'another battery staple'

describe.skipIf(browserPath === undefined).each(locales)(
  'accounts, in %s (skipped where there is no Chromium)',
  (locale) => {
    let bench: Bench
    beforeAll(async () => void (bench = await openBench()))
    afterAll(() => bench.close())

    it('the first one is made on a fresh server; then only its password lets it in', async () => {
      const here = await bench.visit({ locale })
      const { page, texts } = here
      const { t } = texts
      await page.goto('/')
      await heading(page, t('session.firstTitle')).waitFor()
      await page.getByLabel(t('session.username'), { exact: true }).fill('ana')
      await page.getByLabel(t('session.password'), { exact: true }).fill(PASSWORD)
      await page.getByLabel(t('session.passwordAgain'), { exact: true }).fill(`${PASSWORD}!`)
      await page.getByText(t('session.differs'), { exact: true }).waitFor()
      await page.getByLabel(t('session.passwordAgain'), { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: t('session.create'), exact: true }).click()
      await heading(page, t('chat.title')).waitFor()

      await page.getByRole('button', { name: t('session.signOut'), exact: true }).click()
      await heading(page, t('session.signIn')).waitFor()
      here.tolerate(401)
      await signInByForm(here, 'ana', 'not the password')
      await page.getByRole('alert').getByText(t('session.wrong'), { exact: true }).waitFor()
      await signInByForm(here, 'ana', PASSWORD)
      await heading(page, t('chat.title')).waitFor()
      await page.reload()
      await heading(page, t('chat.title')).waitFor()
      expect(here.complaints()).toEqual([])
      await here.context.close()
    })

    it('a session that ended elsewhere leads to the sign-in page, and from there back to the same place', async () => {
      const own = await signIn(bench.server.address, 'ana').catch(() => bootstrap(bench.server.address))
      const base = await own.api.createKnowledgeBase({ body: { name: 'place' } })
      const here = await bench.visit({ locale, cookie: own.cookie })
      const { page, texts } = here
      const { t } = texts
      await page.goto(`/knowledge/${base.id}/tasks`)
      await page.getByText(t('task.none'), { exact: true }).waitFor()
      const elsewhere = await signIn(bench.server.address, 'ana')
      await elsewhere.api.changePassword({ body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } })

      here.tolerate(401)
      await page.getByRole('link', { name: t('knowledge.tabs.readers'), exact: true }).click()
      await page.getByText(t('session.expired'), { exact: true }).waitFor()
      await signInByForm(here, 'ana', NEW_PASSWORD)
      await heading(page, 'place').waitFor()
      await page.getByText(t('reader.none'), { exact: true }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/knowledge/${base.id}/readers`)
      expect(here.complaints()).toEqual([])
      await here.context.close()
    })
  }
)
