import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap, PASSWORD, signIn } from '../service/people.ts'
import { heading, outcomeOf, untilState } from './actions.ts'
import { type Bench, openBench } from './bench.ts'
import { browserPath, type Visit } from './browser.ts'
import { markdown } from './sample-files.ts'
import { setSearchStage } from './search-stage.ts'

/** More stops than any room has before what one looks for. */
const STOPS_LIMIT = 60

/** Where the focus is, and whether somebody who looks can see it there. */
interface Stop {
  /** Role or tag, and the name that is read out. */
  readonly name: string
  readonly seen: boolean
  readonly inDialog: boolean
  /** Nothing of the page: the browser's own controls have it. */
  readonly isOutside: boolean
}

const WHERE = `(() => {
  const active = document.activeElement
  const isOutside = active === null || active === document.body || active === document.documentElement
  if (isOutside) return { name: '', seen: true, inDialog: false, isOutside }
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(active)
  const { top, bottom, left, right, width, height } = active.getBoundingClientRect()
  const marked = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  const onScreen = width > 0 && height > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
  const label = active.getAttribute('aria-label') ?? active.labels?.[0]?.textContent ?? active.textContent
  return { name: label.trim(), seen: marked && onScreen, inDialog: active.closest('dialog') !== null, isOutside }
})()`

const where = (page: Page): Promise<Stop> => page.evaluate(WHERE)

/** Presses Tab until the focus is on something of this name. @throws when it is not reached, or the focus is lost from sight */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < STOPS_LIMIT; stop++) {
    await page.keyboard.press(key)
    const here = await where(page)
    if (!here.seen) throw new Error(`the focus is on "${here.name}", where nobody sees it`)
    if (here.name === name) return
    passed.push(here.name)
  }
  throw new Error(`"${name}" is not reached by ${key}: ${passed.join(' | ')}`)
}

describe.skipIf(browserPath === undefined)('the keyboard alone (skipped where there is no Chromium)', () => {
  let bench: Bench
  let here: Visit
  let page: Page
  let t: Visit['texts']['t']
  beforeAll(async () => {
    bench = await openBench()
    await bootstrap(bench.server.address)
    here = await bench.visit()
    page = here.page
    t = here.texts.t
  })
  afterAll(() => bench.close())

  const type = (text: string): Promise<void> => page.keyboard.type(text)
  const press = (key: string): Promise<void> => page.keyboard.press(key)

  it('signs in, uploads and comes to an answer in the lab, and always sees where it is', async () => {
    here.tolerate(401)
    await page.goto('/')
    await heading(page, t('session.signIn')).waitFor()
    expect((await where(page)).name).toBe(t('session.username'))
    await type('ana')
    await tabTo(page, t('session.password'))
    await type(PASSWORD)
    await press('Enter')
    await heading(page, t('chat.title')).waitFor()

    await tabTo(page, t('knowledge.title'))
    await press('Enter')
    await heading(page, t('knowledge.title')).waitFor()
    await tabTo(page, t('knowledge.create'))
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    expect((await where(page)).name).toBe(t('knowledge.name'))
    await type('Keys')
    await press('Enter')
    await heading(page, 'Keys').waitFor()
    await tabTo(page, t('upload.chooseFiles'))
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press('Enter')])
    await chooser.setFiles(markdown('keys.md', '# Keys\n\nTurn E_KEY_7 twice.\n'))
    await untilState(here, 'keys.md', 'indexed')

    await tabTo(page, t('lab.title'), 'Shift+Tab')
    await press('Enter')
    await heading(page, t('lab.title')).waitFor()
    await tabTo(page, t('lab.query'))
    await type('E_KEY_7')
    await press('Enter')
    await outcomeOf(page, t('lab.run')).getByText('Turn E_KEY_7 twice.').waitFor()
    await tabTo(page, 'Keys')
    await tabTo(page, t('lab.fusion'))
  })

  it('is held by a dialog, which Escape closes and which gives the focus back', async () => {
    for (const [opener, place, title] of [
      [t('settings.newKey'), '/settings', t('settings.title')],
      [t('settings.newUser'), '/settings/people', t('settings.users')]
    ] as const) {
      await page.goto(place)
      await heading(page, title).waitFor()
      await tabTo(page, opener)
      await press('Enter')
      const dialog = page.getByRole('dialog', { name: opener })
      await dialog.waitFor()
      const stops: Stop[] = []
      for (let stop = 0; stop < 20; stop++) {
        await press(stop % 3 === 2 ? 'Shift+Tab' : 'Tab')
        stops.push(await where(page))
      }
      expect(stops.filter(({ inDialog, isOutside }) => !inDialog && !isOutside)).toEqual([])
      expect(stops.filter(({ seen }) => !seen)).toEqual([])
      await press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect((await where(page)).name).toBe(opener)
    }
    expect(here.complaints()).toEqual([])
  })

  it('searches by fields, narrows, judges and compares', async () => {
    const ana = await signIn(bench.server.address, 'ana')
    await setSearchStage(ana)
    await page.goto('/lab/search')
    await heading(page, t('lab.title')).waitFor()
    await tabTo(page, t('search.keywords'))
    await type('gateway')
    await press('Enter')
    const answer = page.getByRole('article', { name: t('search.answer') })
    await answer.getByText('too_many', { exact: true }).waitFor()
    // What was found has the focus: the next stop is in it.
    const inOutcome = `document.activeElement.getAttribute('aria-label') === ${JSON.stringify(t('search.outcome'))}`
    expect(await page.evaluate(inOutcome)).toBe(true)
    await tabTo(page, `clearing 3 ${t('search.documents')}`)
    await press('Enter')
    await answer.getByText('strict_hit', { exact: true }).waitFor()
    await tabTo(page, t('search.keep'))
    await press('Space')
    await tabTo(page, t('search.verdicts.up'))
    await press('Space')
    await answer.getByText(t('search.saved')).waitFor()
    await tabTo(page, t('search.note'))
    await type('read it twice')
    await press('Enter')
    await answer.getByRole('button', { name: t('search.noteSaved') }).waitFor()
    await tabTo(page, t('search.keywords'), 'Shift+Tab')
    await type(' again')
    await press('Enter')
    await page.getByRole('region', { name: t('lab.comparison'), exact: true }).waitFor()
    expect(here.complaints()).toEqual([])
  })

  it('can leave out the links beside the page', async () => {
    await page.goto('/system')
    await heading(page, t('system.title')).waitFor()
    await tabTo(page, t('common.skip'))
    await press('Enter')
    await press('Tab')
    const inMain = await page.evaluate(`document.querySelector('main').contains(document.activeElement)`)
    expect(inMain).toBe(true)
  })
})
