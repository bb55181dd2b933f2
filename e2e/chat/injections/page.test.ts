import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, launchBrowser, visit, type Visit } from '../../page/browser.ts'
import { locales } from '../../page/texts.ts'
import type { Injection } from './injection.ts'
import { injections, inMonitoring } from './material/index.ts'
import { type Decide, observe, type Observed } from './observe.ts'
import { plant, type Planted } from './plant.ts'
import { setStage, type Stage, withoutMonitoring } from './stage.ts'
import { NO_TRACES, tracesAsMarkup, tracesIn, watchFor } from './traces.ts'
import { violationsOf } from './violations.ts'

const withMarkup = [...injections, ...(withoutMonitoring === '' ? inMonitoring : [])].filter((each) => each.isMarkup)
/** Calls whose own page is looked at. */
const CALLS = 2
const SERVERS = '/settings/servers/'

describe.skipIf(browserPath === undefined)('markup of others on the page (skipped where there is no Chromium)', () => {
  let stage: Stage
  let browser: Browser
  beforeAll(async () => {
    // Long enough to look at a call that waits.
    ;[stage, browser] = await Promise.all([setStage({ KB_CHAT__APPROVAL_MS: '60000' }), launchBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await stage.close()
  })

  const enter = async (code: string): Promise<Visit> => {
    // Half of the cases in each language; what they show is the same.
    const locale = locales[Number(code.at(-1)) % locales.length] ?? 'en'
    return visit(browser, stage.server.address, { locale, cookie: stage.victim.cookie })
  }
  const refuse: Decide = async ({ messageId, call: { callId } }, id) => {
    const params = { id, messageId, callId }
    await stage.victim.api.decideToolCall({ params, body: { approved: false } })
  }

  it.each(withMarkup)('$code: $name', async (injection) => {
    const planted = await plant(stage, injection)
    const here = await enter(injection.code)
    try {
      const observed = await observe(stage, planted, refuse)
      const seen = watchFor(here.page)
      await lookAtAnswer(here, injection, observed)
      await lookAround(here, planted, observed)
      expect([seen, here.complaints()]).toEqual([[], []])
      expect(stage.collector.arrived).toEqual([])
      expect(violationsOf(injection, observed)).toEqual([])
      await wouldBeNoticed(here, planted, observed)
    } finally {
      await here.context.close()
      await planted.remove()
    }
  })

  it('a call that waits shows its arguments as text, and a person refuses it there', async () => {
    const injection = withMarkup.find(({ code }) => code === 'E_INJ_310')!
    const planted = await plant(stage, injection)
    const here = await enter('E_INJ_310')
    const { t } = here.texts
    const observed = await observe(stage, planted, async (_call, id) => {
      await here.page.goto(`/chat/${id}`)
      const panel = here.page.getByRole('region', { name: t('chat.approvalTitle') })
      await panel.getByText('<img src=x onerror=globalThis.hacked=1>').waitFor()
      expect(await tracesIn(here.page)).toEqual(NO_TRACES)
      await panel.getByRole('button', { name: t('chat.refuse'), exact: true }).click()
    })
    expect(violationsOf(injection, observed)).toEqual([])
    const [refused] = observed.audit.filter(({ tool }) => tool === 'ops__restart_service')
    expect(refused).toMatchObject({ status: 'refused', failure: { code: 'AUTH_FORBIDDEN' } })
    await here.context.close()
    await planted.remove()
  })

  it('would have been noticed, were it taken for markup', async () => {
    const here = await enter('E_INJ_309')
    const { page } = here
    await page.goto('/chat')
    await page.locator('main').waitFor()
    const markup = [
      `<img src="${stage.collector.address}/x" onerror="globalThis.hacked=1"><iframe></iframe>`,
      '<div class="md"><style></style><b style="color:red">x</b><a href="javascript:globalThis.hacked=1">y</a></div>'
    ].join('')
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend', ${JSON.stringify(markup)})`)
    expect(await tracesIn(page)).toEqual({
      hacked: null,
      elements: ['img', 'iframe', 'style'],
      inText: ['style', 'style'],
      handlers: ['onerror'],
      links: ['javascript:globalThis.hacked=1']
    })
    // The policy of the page stops even that, and says so.
    await expect.poll(() => here.complaints().join('\n')).toMatch(/Content Security Policy/)
    await here.context.close()
  })
})

/** The conversation with every call opened, and every source as the agent saw it. */
async function lookAtAnswer(
  { page, texts: { t } }: Visit,
  { read, place }: Injection,
  observed: Observed
): Promise<void> {
  const { conversationId, message } = observed
  await page.goto(`/chat/${conversationId}`)
  const answer = page.locator(`[data-message="${message.id}"]`)
  // The model repeats all messages; what a tool says of itself is none.
  const text = answer.locator('.md')
  await (place.where === 'tool description' ? text : text.getByText(read).first()).waitFor()
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true })`)
  expect(await tracesIn(page), 'in the answer').toEqual(NO_TRACES)
  if (message.sources.length === 0) return
  await answer.locator('[data-sources]').click()
  const drawer = page.getByRole('dialog', { name: t('chat.sources'), exact: true })
  await drawer.locator('.citation').first().waitFor()
  await page.evaluate(`document.querySelectorAll('dialog details').forEach((each) => { each.open = true })`)
  for (const more of await drawer.getByRole('button', { name: t('chat.seen'), exact: true }).all()) await more.click()
  expect(await tracesIn(page), 'in the drawer').toEqual(NO_TRACES)
}

/** The same words, taken for markup where they are shown as text, do leave traces. */
async function wouldBeNoticed(here: Visit, { pages }: Planted, observed: Observed): Promise<void> {
  // What a tool says of itself is in its settings and in no conversation.
  const settings = pages.find((address) => address.startsWith(SERVERS))
  await goTo(here, settings ?? `/chat/${observed.conversationId}`)
  const { elements, inText } = await tracesAsMarkup(here.page)
  expect(elements).not.toEqual([])
  expect(inText).not.toEqual([])
}

/** Other pages on which the same words stand. */
async function lookAround(here: Visit, { pages }: Planted, observed: Observed): Promise<void> {
  const calls = observed.audit.slice(0, CALLS).map(({ id }) => `/system/audit/${id}`)
  for (const address of [...pages, `/system/audit?conversation=${observed.conversationId}`, ...calls]) {
    await goTo(here, address)
    expect(await tracesIn(here.page), address).toEqual(NO_TRACES)
  }
}

/** Opens a page and what it hides until it is asked for. */
async function goTo({ page, texts: { t } }: Visit, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  if (address.startsWith('/chat/')) await page.locator('.md').last().waitFor()
  if (address.startsWith(SERVERS)) {
    await page.getByRole('button', { name: t('servers.check'), exact: true }).click()
    await page.locator('.tool-words').first().waitFor()
  }
  if (address.startsWith('/documents/')) {
    await page
      .getByRole('list', { name: t('document.chunksTitle') })
      .getByRole('button')
      .first()
      .click()
    await page.locator('mark').first().waitFor()
  }
}
