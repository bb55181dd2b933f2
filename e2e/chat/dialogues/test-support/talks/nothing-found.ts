import { calls } from '@oncall-agent/backend/chat-model-server'
import { expect } from 'vitest'
import { askToEnd, look, openChat, storedAnswer } from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'
import { emptyBase } from '../runbooks.ts'
import { reads, toldByTools } from '../scripted-model.ts'

const words = {
  en: {
    question: 'What do we have on BGP sessions that flap?',
    query: 'BGP session flaps',
    answer: 'The network team has written nothing down on this yet.'
  },
  zh: { question: 'BGP 会话抖动有资料吗？', query: 'BGP 会话抖动', answer: '网络组还没有这方面的资料。' }
} as const

/** Asked only of a base that is empty: the search went well and found nothing. */
export const nothingFound: Dialogue = {
  name: 'a search that finds nothing is told as such and not as a failure, and it is seen where it looked',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter()
    const { page, texts } = here
    const { t } = texts
    const base = emptyBase[scene.locale]
    let told = ''
    scene.model.script(
      calls([{ name: 'knowledge_retrieval', arguments: { query: w.query } }]),
      reads((asked) => {
        told = toldByTools(asked)
        return w.answer
      })
    )
    await openChat(here)
    await page
      .locator('summary')
      .filter({ hasText: t('chat.scopeAll') })
      .click()
    await page.getByRole('checkbox', { name: base, exact: true }).check()
    await page.getByText(t('chat.scopeSome', { names: base }), { exact: true }).waitFor()
    const answer = await askToEnd(here, w.question)
    expect(told).toContain('Nothing was found')
    await answer.getByText(t('chat.retrievalEmpty'), { exact: true }).waitFor()
    await answer.getByText(w.answer).waitFor()
    await answer.getByText(texts.counted('chat.toolFound', 0), { exact: true }).waitFor()
    expect(await answer.getByText(t('chat.retrievalFailed')).count()).toBe(0)
    expect(await answer.getByText(t('chat.toolStates.failed')).count()).toBe(0)
    expect(await answer.locator('[data-sources]').count()).toBe(0)
    expect(await storedAnswer(scene, here)).toMatchObject({
      status: 'completed',
      retrieval: 'empty',
      content: w.answer,
      sources: [],
      tools: [{ status: 'ok', found: 0, failure: null }]
    })
    await look(here, 'chat-nothing-found')
  }
}
