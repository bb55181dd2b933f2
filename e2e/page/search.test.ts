import type { SearchRequestInput, SearchResponse } from '@oncall-agent/api-contracts'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap, type Person } from '../service/people.ts'
import { heading, search } from './actions.ts'
import { type Bench, openBench } from './bench.ts'
import { browserPath, type Visit } from './browser.ts'
import { COMMON, PROJECTS, RESET, type SearchStage, setSearchStage, UNKNOWN } from './search-stage.ts'
import { locales } from './texts.ts'

/** Keywords that no document has, and a sentence that has words of some. */
const SENTENCE = `restart the ${COMMON} again`
/** Each answer that there is, and how one comes to it. */
const WAYS = {
  strict_hit: { keywords: ['E_CONN_RESET'], query_text: SENTENCE },
  too_many: { keywords: [COMMON] },
  loose_hit: { keywords: [COMMON, UNKNOWN] },
  vector_only: { keywords: [UNKNOWN], query_text: SENTENCE },
  no_hit: { keywords: [UNKNOWN], project: PROJECTS[0] }
} as const satisfies Record<SearchResponse['status'], SearchRequestInput>
type Way = keyof typeof WAYS
const RELATED = { zh: /^没有完全匹配的知识，以下为相关参考，仅供参考。$/, en: /for reference only/ }
const BANNERS: Partial<Record<Way, typeof RELATED>> = {
  loose_hit: RELATED,
  vector_only: { zh: /可信度低/, en: /low confidence/ }
}

function addressOf(request: SearchRequestInput): string {
  const { settings, ...fields } = request
  const pairs = Object.entries({ mode: 'auto', ...fields, ...settings }).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)])
  )
  return `/lab/search?${new URLSearchParams(pairs).toString()}`
}

/** Whether the first marked part of a document's text is on the screen. */
const MARK_IN_SIGHT = `(() => {
  const { top, bottom } = document.querySelector('.doc-text mark').getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
})()`
const placeOf = ({ hits }: SearchResponse, id: string): number =>
  hits.findIndex(({ document_id: each }) => each === id) + 1

describe.skipIf(browserPath === undefined)('structured search in the lab (skipped where there is no Chromium)', () => {
  let bench: Bench
  let ana: Person
  let stage: SearchStage
  let here: Visit
  let t: Visit['texts']['t']
  let answer: Locator
  beforeAll(async () => {
    bench = await openBench()
    ana = await bootstrap(bench.server.address)
    stage = await setSearchStage(ana)
    here = await bench.visit({ cookie: ana.cookie })
    t = here.texts.t
    answer = here.page.getByRole('article', { name: t('search.answer') })
  })
  afterAll(() => bench.close())

  const open = async (request: SearchRequestInput): Promise<void> => {
    await here.page.goto(addressOf(request))
    await answer.waitFor()
  }
  const statusOf = (status: Way): Locator => answer.getByRole('banner').or(answer.locator('header')).getByText(status)
  const hits = (): Locator =>
    answer
      .getByRole('list')
      .filter({ has: here.page.getByRole('heading') })
      .locator('> li')

  describe.each(locales)('in %s', (locale) => {
    it.each(Object.keys(WAYS) as Way[])(
      '%s is told in plain words, with its code, and its banner word for word',
      async (status) => {
        const { page, context, texts, complaints } = await bench.visit({ locale, cookie: ana.cookie })
        const sent = page.waitForResponse((response) => response.url().endsWith('/api/v1/search'))
        await page.goto(addressOf(WAYS[status]))
        const body = (await (await sent).json()) as SearchResponse
        const shown = page.getByRole('article', { name: texts.t('search.answer') })
        expect(body.status).toBe(status)
        await shown.getByRole('heading', { name: texts.counted(`search.statuses.${status}`, body.total) }).waitFor()
        await shown.locator('header').getByText(status, { exact: true }).waitFor()
        const says = BANNERS[status]?.[locale]
        expect(body.banner ?? 'none').toMatch(says ?? /^none$/)
        if (body.banner !== undefined) await shown.getByText(body.banner, { exact: true }).waitFor()
        for (const { title } of body.hits) await shown.getByRole('link', { name: title, exact: true }).waitFor()
        expect(complaints()).toEqual([])
        await context.close()
      }
    )
  })

  it('shows the scores that the interface answers to the same search, each as the sum that it is', async () => {
    const settings = { vector_weight: 0.25 }
    await open({ ...WAYS.loose_hit, settings })
    const { hits: expected } = await ana.api.search({ body: { ...WAYS.loose_hit, settings } })
    const { score } = here.texts.formats
    expect(expected.length).toBeGreaterThan(1)
    for (const [at, { score: sum, bm25, vector_part: meant, title }] of expected.entries()) {
      const card = hits().nth(at)
      expect(await card.getByRole('heading').innerText()).toBe(`#${at + 1} ${title}`)
      expect(await card.locator('dl dd').allInnerTexts()).toEqual([
        score(sum, 3),
        `${score(0.75, 2)} × ${score(bm25, 3)} = ${score(0.75 * bm25, 3)}`,
        `${score(0.25, 2)} × ${score(meant, 3)} = ${score(0.25 * meant, 3)}`
      ])
      expect(0.75 * bm25 + 0.25 * meant).toBeCloseTo(sum, 6)
    }
  })

  it('narrows too many by a click to as many as it said, tells what lies beyond, and the way back is there', async () => {
    const { page } = here
    await open(WAYS.too_many)
    const { facets, facets_truncated: beyond } = await ana.api.search({ body: WAYS.too_many })
    const narrowest = facets!.project.at(-1)!
    expect(beyond!.error_codes).toBeGreaterThan(0)
    await answer.getByText(here.texts.counted('search.beyond', beyond!.error_codes)).waitFor()
    await answer.getByRole('button', { name: new RegExp(`^${narrowest.value}`) }).click()
    await statusOf('strict_hit').waitFor()
    await expect.poll(() => hits().count()).toBe(narrowest.count)
    expect(new URL(page.url()).searchParams.get('project')).toBe(narrowest.value)
    expect(await page.getByLabel(t('search.project'), { exact: true }).inputValue()).toBe(narrowest.value)
    await page.goBack()
    await statusOf('too_many').waitFor()
    expect(await page.getByLabel(t('search.project'), { exact: true }).inputValue()).toBe('')
  })

  it('opens a hit at its excerpt, and on the way back nothing is asked again', async () => {
    const { page } = here
    await open(WAYS.strict_hit)
    let asked = 0
    page.on('request', (request) => (asked += request.url().endsWith('/api/v1/search') ? 1 : 0))
    const excerpt = await hits().first().locator('.quoted').innerText()
    const link = answer.getByRole('link', { name: RESET, exact: true })
    // Brings it into sight, as the click would.
    await link.hover()
    const place = await page.evaluate('scrollY')
    await link.click()
    const text = page.getByRole('region', { name: t('document.text') })
    await text.locator('mark').first().waitFor()
    expect((await text.locator('mark').allInnerTexts()).join('')).toBe(excerpt)
    expect(excerpt).toContain('E_CONN_RESET')
    await expect.poll(() => page.evaluate(MARK_IN_SIGHT)).toBe(true)
    await page.goBack()
    await hits().first().waitFor()
    expect(asked).toBe(0)
    expect(place).toBeGreaterThan(0)
    await expect.poll(() => page.evaluate('scrollY')).toBe(place)
  })

  it('says when nothing is found what to let go of, and searches that', async () => {
    await open({ ...WAYS.no_hit, keywords: ['E_CONN_RESET'] })
    await answer.getByText(t('search.tryThis')).waitFor()
    await answer.getByRole('button', { name: t('search.loosen.project', { value: PROJECTS[0] }) }).click()
    await statusOf('strict_hit').waitFor()
    expect(new URL(here.page.url()).searchParams.get('project')).toBeNull()
  })

  it('keeps what is said of a hit with its note, lets the other button change it, and sums it up', async () => {
    const { page } = here
    await open(WAYS.strict_hit)
    const card = hits().first()
    const verdict = (name: 'up' | 'down') =>
      card.getByRole('button', { name: t(`search.verdicts.${name}`), exact: true })
    await verdict('up').click()
    await card.getByText(t('search.saved')).waitFor()
    await card.getByLabel(t('search.note')).fill('the third step')
    await card.getByRole('button', { name: t('search.saveNote') }).click()
    await card.getByRole('button', { name: t('search.noteSaved') }).waitFor()
    await verdict('down').click()
    await expect.poll(() => verdict('down').getAttribute('aria-pressed')).toBe('true')
    expect(await verdict('up').getAttribute('aria-pressed')).toBe('false')
    await page.getByText(t('search.feedback'), { exact: true }).click()
    const table = page.getByRole('table', { name: t('search.byDocument') })
    const row = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: RESET }) })
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['0', '1'])
    const { documents } = await ana.api.searchFeedbackSummary()
    expect(documents).toEqual([{ document_id: stage.documents.get(RESET), title: RESET, up: 0, down: 1 }])
  })

  it('puts two settings side by side, and its address shows both to whoever gets it', async () => {
    const { page } = here
    await open(WAYS.loose_hit)
    await answer.getByRole('button', { name: t('search.keep') }).click()
    await page.getByText(t('search.advanced')).click()
    await page.getByLabel(t('search.settings.vector_weight'), { exact: true }).fill('0')
    await search(here)
    const comparison = page.getByRole('region', { name: t('lab.comparison'), exact: true })
    await comparison.waitFor()
    const rows = await comparison
      .getByRole('table', { name: t('search.compared') })
      .getByRole('row')
      .allInnerTexts()
    const [kept, changed] = await Promise.all([
      ana.api.search({ body: WAYS.loose_hit }),
      ana.api.search({ body: { ...WAYS.loose_hit, settings: { vector_weight: 0 } } })
    ])
    for (const [at, { title, document_id: id }] of changed.hits.entries())
      expect(rows[at + 1]?.split(/\s*\t\s*/).slice(0, 3)).toEqual([title, `#${placeOf(kept, id)}`, `#${at + 1}`])
    await page.reload()
    await comparison.waitFor()
    await comparison.getByRole('button', { name: t('lab.leave') }).click()
    await comparison.waitFor({ state: 'detached' })
  })

  it('asks in the language of the page, and again when that is changed while a banner is shown', async () => {
    const { page } = here
    await open(WAYS.loose_hit)
    await answer.getByText(RELATED.en).waitFor()
    await page.getByLabel(t('common.language')).selectOption('zh')
    await page.getByText(RELATED.zh).waitFor()
    await page.getByLabel('语言').selectOption('en')
    await answer.getByText(RELATED.en).waitFor()
    expect(await page.getByText(RELATED.zh).count()).toBe(0)
  })

  it('orders by keywords alone while the embedder is down, and says so', async () => {
    bench.stub.misbehave({ status: 500 })
    await open({ ...WAYS.strict_hit, query_text: 'not embedded before' })
    await answer.getByText(t('search.withoutMeaning')).waitFor()
    await statusOf('strict_hit').waitFor()
    await open({ ...WAYS.vector_only, query_text: 'nor this' })
    await statusOf('no_hit').waitFor()
    await answer.getByText(t('search.missedMeaning')).waitFor()
    bench.stub.misbehave(undefined)
    expect(here.complaints()).toEqual([])
  })

  it('a value that the server refuses and a server that is gone are told as what they are', async () => {
    const { page } = here
    here.tolerate(400, 'ERR_CONNECTION_REFUSED')
    await page.goto(addressOf({ settings: { vector_weight: 7 } }))
    await page.getByRole('alert').getByText('settings.vector_weight: must be a number from 0 to 1').waitFor()
    await open(WAYS.strict_hit)
    await bench.server.stop()
    await search(here)
    const alert = page.getByRole('alert')
    await alert.getByText(t('search.failed')).waitFor()
    await alert.getByText(t('common.unreachable')).waitFor()
    await bench.startAgain()
    await alert.getByRole('button', { name: t('common.retry') }).click()
    await statusOf('strict_hit').waitFor()
    expect(here.complaints()).toEqual([])
  })

  it('is a part of the lab that one comes to and back from by its links, where it was left', async () => {
    const { page } = here
    await open(WAYS.too_many)
    const parts = page.getByRole('navigation', { name: t('lab.parts') })
    await parts.getByRole('link', { name: t('lab.tabs.evidence') }).click()
    await page.getByLabel(t('lab.query'), { exact: true }).waitFor()
    await parts.getByRole('link', { name: t('lab.tabs.search') }).click()
    await statusOf('too_many').waitFor()
    expect(await heading(page, t('lab.title')).count()).toBe(1)
  })
})
