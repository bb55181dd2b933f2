import { expect } from 'vitest'
import { ask, look, markerNumbers, openChat, storedAnswer, textOf, untilEnd } from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'
import { heldAnswer } from '../scripted-model.ts'

const words = {
  en: {
    question: 'Hello, I take over the night shift.',
    begins: 'Good evening. ',
    goesOn: 'Ask me about alerts, ',
    ends: 'or about what your runbooks say.'
  },
  zh: {
    question: '你好，我来接夜班。',
    begins: '晚上好。',
    goesOn: '可以问我告警的情况，',
    ends: '也可以问处置手册里的内容。'
  }
} as const

/** Nothing to look up; and every word arrives when it was said, behind a proxy that compresses. */
export const smallTalk: Dialogue = {
  name: 'a greeting is answered without looking, with no source, and word by word behind a gzip proxy',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter('gzip')
    const { page, texts } = here
    const held = heldAnswer()
    scene.model.script(held.conduct)
    await openChat(here)
    const streamed = page.waitForResponse(
      (response) => response.url().endsWith('/messages') && response.status() === 200
    )
    const answer = await ask(here, w.question)
    expect((await (await streamed).allHeaders())['content-encoding']).toBe('gzip')
    await held.say(w.begins)
    await answer.getByText(w.begins.trim()).waitFor()
    expect(await textOf(answer)).not.toContain(w.goesOn.trim())
    await held.say(w.goesOn)
    await answer.getByText(w.goesOn.trim()).waitFor()
    expect(await textOf(answer)).not.toContain(w.ends)
    await answer.getByText(texts.t('chat.states.writing')).waitFor()
    await held.end(w.ends)
    await untilEnd(here)
    expect((await textOf(answer)).trim()).toBe(w.begins + w.goesOn + w.ends)

    expect(await markerNumbers(answer)).toEqual([])
    expect(await answer.locator('[aria-haspopup="dialog"]').count()).toBe(0)
    expect(await answer.locator('.tool').count()).toBe(0)
    expect(await storedAnswer(scene, here)).toMatchObject({
      status: 'completed',
      retrieval: 'none',
      content: w.begins + w.goesOn + w.ends,
      sources: [],
      tools: []
    })
    await look(here, 'chat-no-source')
  }
}
