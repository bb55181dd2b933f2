import { expect } from 'vitest'
import { heading } from '../../../../page/actions.ts'
import { signIn } from '../../../../service/people.ts'
import { askToEnd, cardsOf, closeDrawer, look, markerNumbers, openChat, openMarker, storedAnswer } from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'

const words = {
  en: {
    question: 'Redis is out of memory, what is large?',
    first: 'No chat model is configured.',
    found: 'redis-cli --bigkeys'
  },
  zh: { question: 'Redis 内存不足，怎么找出大键？', first: '未配置对话模型', found: 'redis-cli --bigkeys' }
} as const

/** A server whose team has set up no chat model: it shows what it found, and the way to a model. */
export const noModel: Dialogue = {
  name: 'without a chat model the answer is the evidence itself, and the page says what to set for one',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter('no-model')
    const { page, texts } = here
    const { t } = texts
    await openChat(here)
    const answer = await askToEnd(here, w.question)
    expect(scene.model.requests).toEqual([])
    await answer.getByText(t('chat.evidenceOnly'), { exact: true }).waitFor()
    await answer.getByText(w.first).waitFor()
    expect(await markerNumbers(answer)).toEqual([1, 2, 3, 4, 5])
    expect(await answer.locator('blockquote').first().textContent()).toContain(w.found)
    const message = await storedAnswer(scene, here)
    expect(message).toMatchObject({ status: 'completed', mode: 'evidence-only', retrieval: 'found' })
    expect(message.sources.map(({ cited }) => cited)).toEqual([true, true, true, true, true])
    await openMarker(here, answer, 1)
    expect(await cardsOf(here).first().textContent()).toContain(w.found)
    await closeDrawer(here)
    await look(here, 'chat-no-model')

    await answer.getByRole('link', { name: t('chat.toModels'), exact: true }).click()
    await heading(page, t('models.title')).waitFor()
    const part = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })
    const chat = part(t('models.parts.chat'))
    await chat.getByText(t('models.notConfigured'), { exact: true }).waitFor()
    await chat.getByText('KB_CHAT__BASE_URL').first().waitFor()
    await chat.getByText('KB_CHAT__MODEL').first().waitFor()
    const { origin } = new URL(page.url())
    const { api } = await signIn(origin, scene.ana.username)
    const tested = await api.testModel({ body: { part: 'chat' } })
    expect(tested).toMatchObject({ ok: false, message: expect.stringMatching(/KB_CHAT__BASE_URL.*KB_CHAT__MODEL/) })
    // The test that the page offers is a real call.
    const before = scene.stub.embedded()
    const vectors = part(t('models.parts.embedding'))
    await vectors
      .getByRole('button', { name: t('models.testNamed', { name: t('models.parts.embedding') }), exact: true })
      .click()
    await vectors.getByText(t('models.answers'), { exact: true }).waitFor()
    expect(scene.stub.embedded()).toBeGreaterThan(before)
    await look(here, 'models-no-chat')
  }
}
