import axe from 'axe-core'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Visit } from './browser.ts'

const WIDE = { width: 1280, height: 800 }
/** The narrowest telephone that the page is made for. */
const NARROW = { width: 380, height: 800 }
/** What axe calls worse than these keeps somebody from using the page. */
const BAD = ['serious', 'critical']
/** Where pictures of all states are put, for people; none are taken when it is not named. */
const pictures = process.env.ONCALL_PICTURES

/** What can be operated and is cut off at the side, where nothing scrolls to it. */
const SIDEWAYS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const faults = scrollWidth > clientWidth ? ['the page is ' + (scrollWidth - clientWidth) + ' px wider than the window'] : []
  const scrolls = (element) => {
    for (let each = element.parentElement; each !== null; each = each.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(each).overflowX)) return true
    return false
  }
  for (const element of document.querySelectorAll('a, button, input, select, textarea, summary')) {
    const { left, right, width, height } = element.getBoundingClientRect()
    const isHidden = width === 0 || height === 0 || right <= 0 || element.checkVisibility({ visibilityProperty: true }) === false
    if (!isHidden && (left < -1 || right > clientWidth + 1) && !scrolls(element))
      faults.push('cut off: ' + element.outerHTML.slice(0, 120))
  }
  return faults
})()`

/**
 * Looks at what is shown as axe and as a telephone do, light and dark.
 * @returns faults, each a sentence; empty when there is none
 */
export async function lookAt({ page, texts }: Visit, name: string): Promise<readonly string[]> {
  const faults: string[] = []
  const picture = async (palette: string): Promise<void> => {
    if (pictures === undefined) return
    mkdirSync(pictures, { recursive: true })
    const { width } = page.viewportSize()!
    const path = join(pictures, `${name}-${texts.locale}-${palette}-${width}.png`)
    await page.screenshot({ path, fullPage: true })
  }
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  faults.push(...(await axeFaults(page)))
  await picture('light')
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  // Only colours differ in the dark.
  faults.push(...(await axeFaults(page, ['color-contrast'])).map((fault) => `dark: ${fault}`))
  await picture('dark')
  await page.setViewportSize(NARROW)
  faults.push(...(await page.evaluate<string[]>(SIDEWAYS)).map((fault) => `380 px: ${fault}`))
  await picture('dark')
  await page.setViewportSize(WIDE)
  return faults.map((fault) => `${name}: ${fault}`)
}

async function axeFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source)
  const options = rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})`
  )
  const told = violations.map(({ id, impact, nodes }) => ({
    impact,
    text: `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`
  }))
  if (pictures !== undefined) for (const { text } of told) console.log(`${page.url()}: ${text}`)
  return told.filter(({ impact }) => BAD.includes(String(impact))).map(({ text }) => text)
}
