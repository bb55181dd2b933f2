import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap, ended, file, type Person } from '../service/people.ts'
import { ask, heading } from './actions.ts'
import { type Bench, openBench } from './bench.ts'
import { browserPath } from './browser.ts'
import { locales } from './texts.ts'

const IMAGE = '<img src=x onerror="globalThis.hacked=1">'
const MARKUP = [
  `# ${IMAGE} title`,
  `${IMAGE} <script>globalThis.hacked=1</script> <svg onload="globalThis.hacked=1">`,
  '[run me](javascript:globalThis.hacked=1) <a href="javascript:globalThis.hacked=1">or me</a>',
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe> {{ constructor.constructor("hacked=1")() }} E_HOSTILE_1'
].join('\n\n')
/** Right-to-left override: "exe" would be read as the end of another name. */
const NAMES = [`<b onmouseover=hacked=1>${'\u202E'}gnp.md`, `" onfocus=hacked=1 autofocus x=".md`, '${hacked=1}.html']

interface Traces {
  readonly hacked: unknown
  readonly elements: number
  readonly links: number
}

/** What markup would have become, had anybody taken it for markup. */
const TRACES = `(() => ({
  hacked: globalThis.hacked ?? null,
  elements: document.querySelectorAll('img[src="x"], svg[onload], iframe, main script, [onmouseover], [onfocus], [onerror]').length,
  links: [...document.querySelectorAll('a')].filter(({ href }) => !/^(https?|blob):/.test(href)).length
}))()`

describe.skipIf(browserPath === undefined)('text of strangers (skipped where there is no Chromium)', () => {
  let bench: Bench
  let ana: Person
  let baseId: string
  const documents: string[] = []
  beforeAll(async () => {
    bench = await openBench()
    ana = await bootstrap(bench.server.address)
    const body = { name: `${IMAGE} base`, description: `<b>${IMAGE}</b>` }
    baseId = (await ana.api.createKnowledgeBase({ body })).id
    for (const [at, name] of NAMES.entries()) {
      const { document, task } = await ana.api.uploadDocuments({
        params: { id: baseId },
        form: { index: true, project: IMAGE, equipment: IMAGE },
        files: [file(name, `${MARKUP} ${at}`)]
      })
      documents.push(document.id)
      await ended(ana.api, task!.id)
    }
  })
  afterAll(() => bench.close())

  describe.each(locales)('in %s', (locale) => {
    it('is shown as the letters that it is, in every room, and nothing of it happens', async () => {
      const here = await bench.visit({ locale, cookie: ana.cookie })
      const { page, texts } = here
      const { t } = texts
      const addresses = [
        '/knowledge',
        ...['documents', 'tasks', 'readers'].map((tab) => `/knowledge/${baseId}/${tab}`),
        ...documents.map((id) => `/documents/${id}`)
      ]
      for (const address of addresses) {
        await page.goto(address)
        await page
          .getByText(/<img src=x onerror=/)
          .first()
          .waitFor()
        expect(await page.evaluate(TRACES), address).toEqual({ hacked: null, elements: 0, links: 0 })
      }
      await page.goto(`/documents/${documents[0]}`)
      const chunks = page.getByRole('list', { name: t('document.chunksTitle') })
      await chunks.getByRole('button').first().click()
      await page
        .locator('mark')
        .getByText('<script>globalThis.hacked=1</script>')
        .or(page.locator('mark').filter({ hasText: 'run me' }))
        .first()
        .waitFor()
      expect(await page.evaluate(TRACES)).toEqual({ hacked: null, elements: 0, links: 0 })

      await page.goto('/lab')
      await ask(here, `${IMAGE} E_HOSTILE_1`)
      await page
        .getByRole('article')
        .getByText(/<img src=x onerror=/)
        .first()
        .waitFor()
      expect(await page.evaluate(TRACES)).toEqual({ hacked: null, elements: 0, links: 0 })
      // Hits, and the fields of more than are listed.
      for (const query of ['keywords=E_HOSTILE_1', 'strict_max_hits=1']) {
        await page.goto(`/lab/search?mode=auto&${query}`)
        await page
          .getByRole('article')
          .getByText(/<img src=x onerror=/)
          .first()
          .waitFor()
      }
      expect(await page.evaluate(TRACES)).toEqual({ hacked: null, elements: 0, links: 0 })
      expect(here.complaints()).toEqual([])
    })

    it('would have left traces as markup, and the policy of the page would have stopped it even then', async () => {
      const here = await bench.visit({ locale, cookie: ana.cookie })
      await here.page.goto('/lab')
      await heading(here.page, here.texts.t('lab.title')).waitFor()
      await here.page.evaluate(
        `document.querySelector('main').insertAdjacentHTML('beforeend', ${JSON.stringify(MARKUP)})`
      )
      await expect.poll(() => here.complaints().join('\n')).toMatch(/Content Security Policy/)
      const { hacked, elements, links } = await here.page.evaluate<Traces>(TRACES)
      expect([hacked, elements > 0, links]).toEqual([null, true, 1])
    })

    it('cannot turn the name of a file around', async () => {
      const here = await bench.visit({ locale, cookie: ana.cookie })
      await here.page.goto(`/knowledge/${baseId}`)
      await heading(here.page, `${IMAGE} base`).waitFor()
      await here.page.getByRole('rowheader').nth(2).waitFor()
      const shown = (await here.page.getByRole('rowheader').allTextContents()).join('\n')
      expect(shown).toContain('<b onmouseover=hacked=1>')
      expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/u)
    })
  })
})
