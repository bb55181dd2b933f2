import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap } from '../service/people.ts'
import { type Bench, openBench } from './bench.ts'
import { browserPath, type Visit } from './browser.ts'
import { lookAt } from './look.ts'
import { insertManyFacts } from './many-facts.ts'

const DOCUMENTS = 10_000
const TASKS = 200
const PAGE_TURNS = 12
/** A page is asked for and drawn within it, in milliseconds. */
const LIMIT_MS = 1_000
/** What a busy machine makes of it does not count: the best of so many does. */
const TRIES = 3

/** Milliseconds of tasks above 50 ms that blocked the page, since the last look. */
const LONG_TASKS = `(() => {
  globalThis.longTasks = []
  new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })
})()`

/** Clicks and waits, in the page itself, until the condition holds and was painted. @returns milliseconds */
function timed(page: Page, click: string, condition: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const began = performance.now()
    ;(${click}).click()
    const look = () => {
      if (${condition}) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

const linkTo = (tab: string): string => `document.querySelector('nav a[href$="/${tab}"]')`
const rows = (least: number): string => `document.querySelectorAll('main tbody tr').length >= ${least}`
const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!

describe.skipIf(browserPath === undefined)(
  `${DOCUMENTS} documents, ${TASKS} of them in the upload history (skipped where there is no Chromium)`,
  () => {
    let bench: Bench
    let here: Visit
    let baseId: string
    beforeAll(async () => {
      bench = await openBench()
      const ana = await bootstrap(bench.server.address)
      baseId = (await ana.api.createKnowledgeBase({ body: { name: 'many' } })).id
      await insertManyFacts({ data: bench.data, userId: ana.id, baseId, documents: DOCUMENTS, tasks: TASKS })
      here = await bench.visit({ cookie: ana.cookie })
    })
    afterAll(() => bench.close())

    it('the history of 200 uploads is there in less than a second', async () => {
      const { page } = here
      await page.goto(`/knowledge/${baseId}/readers`)
      await page.getByText(here.texts.t('reader.none')).waitFor()
      await page.evaluate(LONG_TASKS)
      const took: number[] = []
      for (let each = 0; each < TRIES; each++) {
        took.push(await timed(page, linkTo('tasks'), rows(TASKS)))
        await page.getByRole('link', { name: here.texts.t('knowledge.tabs.readers') }).click()
        await page.getByText(here.texts.t('reader.none')).waitFor()
      }
      report('history', took, await page.evaluate('longTasks'))
      expect(Math.min(...took)).toBeLessThan(LIMIT_MS)
    })

    it('the list turns its pages within a second each, forward and back, and finds one by its name', async () => {
      const { page, texts } = here
      await page.goto(`/knowledge/${baseId}`)
      const pager = page.getByRole('navigation', { name: texts.t('document.pages') })
      const { number } = texts.formats
      await pager.getByText(number(DOCUMENTS)).waitFor()
      await page.evaluate(LONG_TASKS)
      const took: number[] = []
      for (let turn = 1; turn <= PAGE_TURNS; turn++) {
        const first = `runbook-${String(DOCUMENTS - 1 - turn * 50).padStart(5, '0')}`
        took.push(await timed(page, `document.querySelector('main nav:last-of-type').lastElementChild`, shows(first)))
      }
      const back = `runbook-${String(DOCUMENTS - 1 - (PAGE_TURNS - 1) * 50).padStart(5, '0')}`
      took.push(await timed(page, `document.querySelector('main nav:last-of-type').firstElementChild`, shows(back)))
      report('page turns', took, await page.evaluate('longTasks'))
      expect(await page.getByRole('rowheader').count()).toBe(50)
      expect(median(took)).toBeLessThan(LIMIT_MS / 2)
      expect(took.filter((ms) => ms >= LIMIT_MS)).toEqual([])

      expect(await lookAt(here, 'documents-many')).toEqual([])
      await page.getByLabel(texts.t('document.byName')).fill('BOOK-00042')
      await page.getByRole('link', { name: 'runbook-00042.md' }).waitFor()
      await expect.poll(() => page.getByRole('rowheader').count()).toBe(1)
      expect(here.complaints()).toEqual([])
    })
  }
)

const shows = (name: string): string =>
  `document.querySelector('main tbody tr th')?.textContent.includes(${JSON.stringify(name)})`

function report(what: string, took: readonly number[], longTasks: readonly number[]): void {
  const each = took.map((ms) => Math.round(ms)).join(', ')
  const longest = Math.round(Math.max(0, ...longTasks))
  console.log(`${what}: ${each} ms; tasks above 50 ms: ${longTasks.length}, the longest ${longest} ms`)
}
