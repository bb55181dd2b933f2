import { calls } from '@oncall-agent/backend/chat-model-server'
import { expect } from 'vitest'
import { ask, look, markerNumbers, openChat, storedAnswer, textOf, untilEnd } from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'
import { heldAnswer, markerOf } from '../scripted-model.ts'

const words = {
  en: {
    question: 'What do I do about E_CONN_RESET?',
    query: 'E_CONN_RESET payment gateway',
    first: 'Restart one replica ',
    second: ' and tell the acquirer ',
    last: '. Then watch the queue.'
  },
  zh: {
    question: '遇到 E_CONN_RESET 怎么办？',
    query: 'E_CONN_RESET 支付网关',
    first: '重启一个副本 ',
    second: '，并通知收单方 ',
    last: '。然后观察队列。'
  }
} as const

/** Everything that the messages ever showed while they changed. */
const WATCH = `(() => {
  globalThis.shown = []
  const note = () => void globalThis.shown.push(document.querySelector('[role="log"]')?.textContent ?? '')
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
})()`

/** The marker comes in two pieces, as tokens cut it. */
export const inventedMarker: Dialogue = {
  name: 'a marker that belongs to no source is never seen, not for a moment, and it is said how many were removed',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter()
    const { page, texts } = here
    const held = heldAnswer()
    scene.model.script(calls([{ name: 'knowledge_retrieval', arguments: { query: w.query } }]), held.conduct)
    await openChat(here)
    await page.evaluate(WATCH)
    const answer = await ask(here, w.question)
    const known = markerOf(await held.asked, 'E_CONN_RESET')
    await held.say(`${w.first}[${known}]${w.second}`)
    await answer.getByText(w.second.trim()).waitFor()
    await held.say('[9')
    // Time to be drawn, if anything were.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    await held.say(']')
    await held.end(w.last)
    await untilEnd(here)
    const shown = await page.evaluate<readonly string[]>('globalThis.shown')
    expect(shown.filter((text) => /[[【]\s*9/.test(text))).toEqual([])
    expect(shown.some((text) => text.includes(w.second.trim()))).toBe(true)
    expect(await markerNumbers(answer)).toEqual([known])
    expect(await textOf(answer)).not.toContain('9')
    await answer.getByText(texts.counted('chat.removed', 1), { exact: true }).waitFor()

    const message = await storedAnswer(scene, here)
    expect(message).toMatchObject({ status: 'completed', removedMarkers: 1 })
    expect(message.content).not.toContain('[9]')
    expect(message.sources.filter(({ cited }) => cited).map(({ marker }) => marker)).toEqual([known])
    await look(here, 'chat-removed-marker')
  }
}
