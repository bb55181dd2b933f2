import { answersStatus, diesAfter, says } from '@oncall-agent/backend/chat-model-server'
import { expect } from 'vitest'
import { answersOf, askToEnd, look, openChat, storedAnswer, untilEnd } from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'

const words = {
  en: {
    question: 'Write the handover of tonight.',
    half: 'Tonight two alerts fired. The first one was',
    whole: 'Tonight two alerts fired, and both are over.',
    next: 'Shorter, please.',
    short: 'Two alerts, both over.',
    last: 'And in one word?'
  },
  zh: {
    question: '写一份今晚的交接。',
    half: '今晚触发了两条告警，第一条是',
    whole: '今晚触发了两条告警，均已恢复。',
    next: '再短一些。',
    short: '两条告警，均已恢复。',
    last: '用一个词说？'
  }
} as const
/** Seconds, as a busy model asks for. */
const RETRY_AFTER = 1

/** Death in the middle of a word, a model that is too busy at first, and one that never accepts. */
export const modelDies: Dialogue = {
  name: 'an answer whose model dies is kept and marked and can be asked for again; a busy model is waited for',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter()
    const { page, texts } = here
    const { t } = texts
    scene.model.script(diesAfter(w.half))
    await openChat(here)
    const answer = await askToEnd(here, w.question)
    const expectMarked = async (): Promise<void> => {
      await answersOf(here, page).first().getByText(w.half).waitFor()
      await answersOf(here, page).first().getByText(t('chat.partialTitle'), { exact: true }).waitFor()
    }
    await expectMarked()
    await answer.locator('.failure').getByText('SYSTEM_UNAVAILABLE', { exact: true }).waitFor()
    const failure = { code: 'SYSTEM_UNAVAILABLE' }
    expect(await storedAnswer(scene, here)).toMatchObject({ status: 'partial', content: w.half, failure })
    await look(here, 'chat-partial')
    await page.reload()
    await expectMarked()

    scene.model.script(says(w.whole))
    await answer.getByRole('button', { name: t('chat.askAgain'), exact: true }).click()
    await answersOf(here, page).nth(1).getByText(w.whole).waitFor()
    await untilEnd(here)
    expect(await page.getByRole('article', { name: t('chat.you'), exact: true }).allInnerTexts()).toEqual([
      expect.stringContaining(w.question),
      expect.stringContaining(w.question)
    ])
    expect(await storedAnswer(scene, here)).toMatchObject({ status: 'completed', content: w.whole, failure: null })

    scene.model.script(answersStatus(429, String(RETRY_AFTER)), says(w.short))
    const before = scene.model.requests.length
    await (await askToEnd(here, w.next)).getByText(w.short).waitFor()
    const [busy, answered] = scene.model.requests.slice(before)
    expect(answered!.at - busy!.at).toBeGreaterThan(RETRY_AFTER * 1_000 * 0.9)
    expect(await storedAnswer(scene, here)).toMatchObject({ status: 'completed', content: w.short })

    scene.model.script(answersStatus(401))
    const refused = await askToEnd(here, w.last)
    await refused.getByText(t('chat.failedTitle'), { exact: true }).waitFor()
    expect(await storedAnswer(scene, here)).toMatchObject({ status: 'failed', content: '', failure })
    expect(await page.locator('body').textContent()).not.toContain('10.0.0.1')
    await look(here, 'chat-failed')
  }
}
