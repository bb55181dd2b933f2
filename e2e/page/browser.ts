import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Locale, type PageTexts, textsOf } from './texts.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const
/** Milliseconds for anything that a person would wait for: an index task, too, on a busy machine. */
const PATIENCE_MS = 15_000
/** Chromium writes this for each answer from 400 on; whether one was expected is known by its status. */
const FAILED_REQUEST = /^Failed to load resource: .*?(?:status of (\d{3})|net::(ERR_\w+))/

/** Undefined where no browser is installed: what needs one is skipped there, and says so. */
export const browserPath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there, or not ours to run: the next one is tried.
    return false
  }
}

export function launchBrowser(): Promise<Browser> {
  // Chromium's sandbox refuses to work for root, as tests in a container run.
  return chromium.launch({ executablePath: browserPath!, chromiumSandbox: process.getuid?.() !== 0 })
}

export interface VisitOptions {
  readonly locale?: Locale
  readonly width?: number
  /** Value of a Cookie header: somebody who has signed in already. */
  readonly cookie?: string
}

/** Somebody before the page: a browser profile of its own with one tab. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly texts: PageTexts
  /** Answers that the test brings about: statuses, or names such as ERR_CONNECTION_REFUSED. */
  tolerate(...failures: readonly (number | string)[]): void
  /** What the browser's console has complained about, and nobody said would be: content security policy too. */
  complaints(): readonly string[]
}

export async function visit(browser: Browser, address: string, options: VisitOptions = {}): Promise<Visit> {
  const { locale = 'en', width = 1280, cookie } = options
  const context = await browser.newContext({
    baseURL: address,
    locale: locale === 'zh' ? 'zh-CN' : 'en-GB',
    viewport: { width, height: 800 }
  })
  context.setDefaultTimeout(PATIENCE_MS)
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=', 2)
    await context.addCookies([{ name, value, url: address }])
  }
  const page = await context.newPage()
  const tolerated = new Set<string>()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const [, status, network] = FAILED_REQUEST.exec(message.text()) ?? []
    complaints.push(status ?? network ?? message.text())
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  return {
    page,
    context,
    texts: textsOf(locale),
    tolerate: (...failures) => failures.forEach((each) => tolerated.add(String(each))),
    complaints: () => complaints.filter((each) => !tolerated.has(each))
  }
}
