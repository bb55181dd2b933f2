import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap } from '../service/people.ts'
import {
  ask,
  chooseFiles,
  confirm,
  createBase,
  dropFiles,
  goTo,
  heading,
  rowOf,
  untilState,
  uploadOf
} from './actions.ts'
import { type Bench, openBench } from './bench.ts'
import { browserPath, type Visit } from './browser.ts'
import { chineseGbk, docx, html, markdown, pdf, picture, plainText } from './sample-files.ts'
import { locales } from './texts.ts'

const sections = ['E_CONN_RESET', 'E_TIMEOUT', 'E_QUOTA'].map(
  (code, at) => `## Recover from ${code}\n\nStep ${at}: restart pay-gateway and read its log, code ${code}.\n`
)
const gateway = markdown('gateway.md', `# Gateway\n\n${sections.join('\n')}`)
const gatewayAgain = markdown('gateway.md', `# Gateway\n\n## Recover from E_NEWER_88\n\nFail over first: E_NEWER_88.\n`)
const chosen = [
  gateway,
  plainText('notes.txt', 'Call the network team about E_LINK_DOWN.\n'),
  pdf('plan.pdf', 'E_PDF_11')
]
const dropped = [
  html('wiki.html', 'Wiki', 'E_WIKI_22 is harmless.'),
  docx('handbook.docx', 'Handbook', 'E_WORD_33 needs a restart.'),
  chineseGbk('旧手册.txt')
]
const six = [...chosen, ...dropped].map(({ name }) => name)

const MARK_IS_SEEN = `(() => {
  const { top, bottom } = document.querySelector('mark').getBoundingClientRect()
  return bottom > 0 && top < innerHeight
})()`

describe.skipIf(browserPath === undefined).each(locales)(
  'a knowledge base, in %s, told in order (skipped where there is no Chromium)',
  (locale) => {
    let bench: Bench
    let here: Visit
    let t: Visit['texts']['t']
    beforeAll(async () => {
      bench = await openBench()
      const ana = await bootstrap(bench.server.address)
      here = await bench.visit({ locale, cookie: ana.cookie })
      t = here.texts.t
    })
    afterAll(() => bench.close())

    it('is made, and takes six formats that are chosen and dropped, and indexes them', async () => {
      const { page } = here
      await page.goto('/knowledge')
      await page.getByText(t('knowledge.none'), { exact: true }).waitFor()
      await createBase(here, 'Runbooks')
      await page.getByText(t('document.none'), { exact: true }).waitFor()
      bench.stub.misbehave({ waitMs: 1_500, holding: 'E_TIMEOUT' })
      await chooseFiles(here, chosen)
      await dropFiles(here, dropped)
      await page.getByRole('progressbar', { name: t('document.progressOf', { name: gateway.name }) }).waitFor()
      bench.stub.misbehave(undefined)
      for (const name of six) await untilState(here, name, 'indexed')
      expect(await page.getByRole('rowheader').count()).toBe(six.length)
      for (const name of six) await uploadOf(here, name).getByText(t('upload.states.taken'), { exact: true }).waitFor()
    })

    it('says why a file is not taken, leads to the one that is there already, and tells why one failed', async () => {
      const { page } = here
      here.tolerate(409, 415, 422)
      await chooseFiles(here, [picture('photo.gif'), { ...gateway, name: 'copy.md' }, pdf('scan.pdf')])
      await uploadOf(here, 'photo.gif').getByText('UNSUPPORTED_MEDIA_TYPE').waitFor()
      await uploadOf(here, 'copy.md').getByText(t('upload.duplicate')).waitFor()
      await untilState(here, 'scan.pdf', 'failed')
      await rowOf(page, 'scan.pdf').getByText('DOCUMENT_UNREADABLE').waitFor()
      await uploadOf(here, 'copy.md')
        .getByRole('link', { name: t('upload.openExisting'), exact: true })
        .click()
      await heading(page, 'Gateway').waitFor()
      expect(await page.getByText(gateway.name, { exact: true }).count()).toBeGreaterThan(0)
    })

    it('keeps each try in its history', async () => {
      const { page } = here
      await page.getByRole('link', { name: 'Runbooks', exact: true }).click()
      await page.getByRole('link', { name: t('knowledge.tabs.tasks'), exact: true }).click()
      await page.getByRole('button', { name: `${t('common.retry')}: scan.pdf` }).click()
      const failed = rowOf(page, 'scan.pdf').getByText(t('task.states.failed'), { exact: true })
      await expect.poll(() => failed.count(), { timeout: 15_000 }).toBe(2)
      await rowOf(page, 'scan.pdf')
        .first()
        .getByRole('cell')
        .filter({ hasText: t('task.again') })
        .first()
        .waitFor()
    })

    it('shows the place of a chunk in its document, and gives the document back byte for byte', async () => {
      const { page } = here
      await page.getByRole('link', { name: t('knowledge.tabs.documents'), exact: true }).click()
      await page.getByRole('link', { name: gateway.name }).click()
      const chunk = page
        .getByRole('list', { name: t('document.chunksTitle'), exact: true })
        .getByRole('button', { name: /E_QUOTA/ })
      await chunk.click()
      const span = page.getByRole('region', { name: t('document.text'), exact: true }).locator('mark')
      await span.first().waitFor()
      expect((await span.allTextContents()).join('')).toContain('code E_QUOTA')
      expect(await chunk.getAttribute('aria-pressed')).toBe('true')
      await expect.poll(() => page.evaluate(MARK_IS_SEEN)).toBe(true)
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: t('document.download'), exact: true }).click()
      ])
      expect(saved.suggestedFilename()).toBe(gateway.name)
      expect((await readFile(await saved.path())).equals(gateway.buffer)).toBe(true)
    })

    it('replaces a document, finds the new version and no more the old one', async () => {
      const { page } = here
      await page.getByRole('button', { name: t('document.newVersion'), exact: true }).click()
      await page.getByRole('dialog').getByLabel(t('document.file'), { exact: true }).setInputFiles(gatewayAgain)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('document.send'), exact: true })
        .click()
      await page
        .getByRole('region', { name: t('document.text'), exact: true })
        .getByText('E_NEWER_88')
        .first()
        .waitFor()
      await goTo(here, 'lab')
      await ask(here, 'E_NEWER_88')
      const hit = page
        .getByRole('article', { name: t('lab.run'), exact: true })
        .getByRole('listitem')
        .first()
      await hit.getByText('Fail over first').waitFor()
      await ask(here, 'E_QUOTA')
      expect(await page.getByRole('listitem').filter({ hasText: 'code E_QUOTA' }).count()).toBe(0)
      await ask(here, 'E_NEWER_88')
      await hit.getByRole('link', { name: 'Gateway' }).click()
      await page
        .getByRole('region', { name: t('document.text'), exact: true })
        .locator('mark')
        .first()
        .waitFor()
    })

    it('finds nothing of a document that was deleted', async () => {
      const { page } = here
      await page.getByRole('button', { name: t('common.delete'), exact: true }).click()
      await confirm(here, t('document.deleteTitle'), t('common.delete'))
      await heading(page, 'Runbooks').waitFor()
      await rowOf(page, 'notes.txt').waitFor()
      expect(await rowOf(page, gateway.name).count()).toBe(0)
      await goTo(here, 'lab')
      await ask(here, 'E_NEWER_88')
      expect(await page.getByText('Fail over first').count()).toBe(0)
      expect(here.complaints()).toEqual([])
    })
  }
)
