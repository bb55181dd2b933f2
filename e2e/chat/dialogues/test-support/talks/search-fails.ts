import { calls } from '@oncall-agent/backend/chat-model-server'
import { expect } from 'vitest'
import { askToEnd, look, markerNumbers, openChat, storedAnswer } from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'
import { markerOf, reads, toldByTools } from '../scripted-model.ts'

const words = {
  en: {
    question: 'How do I renew certificates that expire tonight?',
    query: 'certificates that expire, renewal tonight',
    couldNot: 'I could not look it up just now.',
    fixed: 'The knowledge base could not be searched this time.',
    again: 'Please look once more.',
    answer: 'Renew all of them and restart the control plane'
  },
  zh: {
    question: '今晚到期的证书怎么续期？',
    query: '证书即将到期 今晚续期',
    couldNot: '刚才没能查到。',
    fixed: '本次未能检索知识库',
    again: '请再查一次。',
    answer: '全部续期，然后重启控制面'
  }
} as const

/** What vectors come from is down: "I could not look" is another thing than "there is nothing". */
export const searchFails: Dialogue = {
  name: 'a search that fails is told as a failure and not as nothing found, and asked again it is answered',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter()
    const { t } = here.texts
    const search = calls([{ name: 'knowledge_retrieval', arguments: { query: w.query } }])
    let told = ''
    scene.model.script(
      search,
      reads((asked) => {
        told = toldByTools(asked)
        return w.couldNot
      })
    )
    scene.stub.misbehave({ holding: w.query, status: 500 })
    await openChat(here)
    const answer = await askToEnd(here, w.question)
    // The model was told, in words that keep it honest.
    expect(told).toContain('claim nothing about what it holds')
    await answer.getByText(t('chat.retrievalFailed'), { exact: true }).waitFor()
    await answer.getByText(t('chat.retrievalFailedMeans'), { exact: true }).waitFor()
    expect(await answer.getByText(t('chat.retrievalEmpty')).count()).toBe(0)
    expect(await answer.locator('.md').textContent()).toContain(w.fixed)
    expect(await answer.locator('.md').textContent()).toContain(w.couldNot)
    await answer.locator('.tool').getByText(t('chat.toolStates.failed'), { exact: true }).waitFor()
    expect(await answer.getByText(here.texts.counted('chat.toolFound', 0)).count()).toBe(0)
    expect(await markerNumbers(answer)).toEqual([])
    expect(await answer.locator('[data-sources]').count()).toBe(0)
    expect(await storedAnswer(scene, here)).toMatchObject({
      status: 'completed',
      retrieval: 'failed',
      sources: [],
      tools: [{ status: 'failed', found: null, failure: { code: 'SYSTEM_UNAVAILABLE' } }]
    })
    await look(here, 'chat-search-failed')

    scene.stub.misbehave(undefined)
    scene.model.script(
      search,
      reads((asked) => `${w.answer} [${markerOf(asked, 'kubeadm certs renew all')}].`)
    )
    const better = await askToEnd(here, w.again)
    await better.getByText(w.answer).waitFor()
    expect(await better.getByText(t('chat.retrievalFailed')).count()).toBe(0)
    expect(await storedAnswer(scene, here)).toMatchObject({ retrieval: 'found', tools: [{ status: 'ok' }] })
    await answer.getByText(t('chat.retrievalFailed'), { exact: true }).waitFor()
  }
}
