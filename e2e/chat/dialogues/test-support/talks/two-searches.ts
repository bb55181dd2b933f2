import { calls } from '@oncall-agent/backend/chat-model-server'
import { expect } from 'vitest'
import { answersOf, ask, drawerOf, look, openChat, openMarker, storedAnswer, textOf, untilEnd } from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'
import { heldAnswer, markerOf } from '../scripted-model.ts'

const words = {
  en: {
    question: 'The lag grows and pods restart: are these two runbooks?',
    queries: ['consumer lag of order-writer grows', 'KubePodCrashLooping exit code 137 memory limit'],
    lag: 'First scale the writers',
    between: 'Wait for the rebalance, ',
    pods: 'then roll back the release'
  },
  zh: {
    question: '积压在增长，Pod 也在重启：是两份手册吗？',
    queries: ['消费积压增长 order-writer', 'KubePodCrashLooping 退出码 137 内存上限'],
    lag: '先扩容写入者',
    between: '等待再均衡结束，',
    pods: '再回滚该版本'
  }
} as const
/** Both documents have these in both languages. */
const LAG = 'order-writer'
const PODS = 'kubectl describe pod'

/** What a browser says of a line that is cut, by when it is. */
const CUT = [
  'ERR_CONNECTION_RESET',
  'ERR_CONNECTION_CLOSED',
  'ERR_EMPTY_RESPONSE',
  'ERR_INCOMPLETE_CHUNKED_ENCODING',
  'ERR_SOCKET_NOT_CONNECTED'
]

/** White space apart. */
const said = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The line breaks while the answer is written; somebody reads along in a second tab. */
export const twoSearches: Dialogue = {
  name: 'two searches at once number their sources on, and the answer outlives a broken line, also in a second tab',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter('cut-line')
    here.tolerate(...CUT)
    const { page, texts } = here
    const { t } = texts
    const held = heldAnswer()
    const searches = w.queries.map((query) => ({ name: 'knowledge_retrieval', arguments: { query } }))
    scene.model.script(calls(searches), held.conduct)
    await openChat(here)
    const answer = await ask(here, w.question)
    const asked = await held.asked
    const [lag, pods] = [markerOf(asked, LAG), markerOf(asked, PODS)]
    await held.say(`${w.lag} [${lag}]. `)
    await answer.getByText(w.lag).waitFor()
    await page.waitForURL('**/chat/*')
    const tab = await here.context.newPage()
    await tab.goto(page.url())
    const there = answersOf(here, tab)
    await there.getByText(w.lag).waitFor()

    scene.line.cut()
    await answer.getByText(t('chat.states.reconnecting')).waitFor()
    await held.say(w.between)
    scene.line.mend()
    await answer.getByText(w.between.trim()).waitFor()
    await there.getByText(w.between.trim()).waitFor()
    await held.end(`${w.pods} [${pods}].`)
    await untilEnd(here)
    await there.getByText(w.pods).waitFor()
    expect(said(await textOf(answer))).toBe(`${w.lag} ${lag}. ${w.between}${w.pods} ${pods}.`)
    await expect.poll(async () => said(await textOf(there))).toBe(said(await textOf(answer)))

    const { sources, tools, content } = await storedAnswer(scene, here)
    expect(content).toBe(`${w.lag} [${lag}]. ${w.between}${w.pods} [${pods}].`)
    expect(tools).toMatchObject([
      { status: 'ok', found: 5 },
      { status: 'ok', found: 5 }
    ])
    expect(sources.map(({ marker }) => marker)).toEqual(sources.map((_, at) => at + 1))
    expect(sources.length).toBeGreaterThan(5)
    expect(new Set(sources.map(({ runId }) => runId)).size).toBe(2)

    const second = sources.find(({ callId }) => callId !== sources[0]!.callId)!
    await tab.close()
    await answer.locator('[data-sources]').click()
    const drawer = drawerOf(here)
    await drawer.waitFor()
    const number = texts.counted('chat.drawerSearches', 2, { here: t('chat.searchNumber', { number: 1 }) })
    await drawer.getByText(number).waitFor()
    await drawer.getByText(t('chat.otherSearch', { number: 2, query: w.queries[1] })).click()
    await drawer.getByText(second.title, { exact: true }).first().waitFor()
    await look(here, 'chat-two-searches')
    await page.keyboard.press('Escape')
    await openMarker(here, answer, pods)
    expect(await drawer.locator('.citation-here').textContent()).toContain(PODS)
  }
}
