import { calls, says } from '@oncall-agent/backend/chat-model-server'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { Visit } from '../../../../page/browser.ts'
import { ask, conversationOf, look, openChat, storedAnswer, TELEPHONE, textOf, untilEnd } from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'
import { RESTART } from '../restart-tools.ts'
import type { Scene } from '../scene.ts'
import { heldAnswer, reads, toldByTools } from '../scripted-model.ts'

const SERVER = 'cluster'
const TOOL = `${SERVER}__${RESTART}`
const WORKLOAD = 'deployment/pay-gateway'

const words = {
  en: {
    question: 'Restart pay-gateway, please.',
    refused: 'It was not restarted, since you did not allow it.',
    again: 'Now do it.',
    done: 'Done:',
    report: 'Write a long report on it.',
    begins: 'Report, page one. '
  },
  zh: {
    question: '请重启 pay-gateway。',
    refused: '您没有允许，因此没有重启。',
    again: '现在执行吧。',
    done: '已完成：',
    report: '写一份详细的报告。',
    begins: '报告第一页。'
  }
} as const

/** A tool of the team's own server that changes something: nothing happens before a person says so. */
export const toolAsks: Dialogue = {
  name: 'a tool that asks runs only after a person allowed it, and a slow answer is stopped by a person',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter()
    const { t } = here.texts
    await scene.ana.api.createMcpServer({
      body: {
        name: SERVER,
        connection: { transport: 'http', url: scene.tools.url },
        allowedTools: [{ name: RESTART, permission: 'ask' }]
      }
    })
    const restart = calls([{ name: TOOL, arguments: { workload: WORKLOAD } }])
    scene.model.script(restart, says(w.refused))
    await openChat(here)
    const answer = await ask(here, w.question)
    const card = approvalOf(here, answer)
    await card.getByText(TOOL, { exact: true }).waitFor()
    await card.getByText(WORKLOAD, { exact: true }).waitFor()
    await answer.locator('.answer-state').getByText(t('chat.states.waiting'), { exact: true }).waitFor()
    await look(here, 'chat-approval')
    await card.getByRole('button', { name: t('chat.refuse'), exact: true }).click()
    await untilEnd(here)
    await expectEnd(scene, here, answer, 'refused')
    expect(scene.tools.restarted).toEqual([])

    scene.model.script(
      restart,
      reads((asked) => `${w.done} ${/3 of 3 replicas ready, ticket \S+/.exec(toldByTools(asked))?.[0] ?? 'nothing'}`)
    )
    await here.page.setViewportSize(TELEPHONE)
    const allowed = await ask(here, w.again)
    expect(scene.tools.restarted).toEqual([])
    const allow = approvalOf(here, allowed).getByRole('button', { name: t('chat.allow'), exact: true })
    await allow.waitFor()
    // A telephone in the night: what is asked for is in sight, and nothing lies over it.
    await expect.poll(() => pressedAt(here, allow)).toBe(t('chat.allow'))
    await allow.click()
    await untilEnd(here)
    await expectEnd(scene, here, allowed, 'ok')
    expect(scene.tools.restarted).toEqual([WORKLOAD])
    expect((await textOf(allowed)).trim()).toBe(`${w.done} 3 of 3 replicas ready, ticket OPS-17`)
    await look(here, 'chat-tool-allowed')
    await expectStop(scene, here)
  }
}

const approvalOf = ({ texts: { t } }: Visit, answer: Locator): Locator =>
  answer.getByRole('region', { name: t('chat.approvalTitle'), exact: true })

/** What somebody would press who presses where a button should be. */
async function pressedAt({ page }: Visit, button: Locator): Promise<string> {
  const { x, y, width, height } = (await button.boundingBox())!
  const found = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.closest('button')?.textContent ?? ''`
  return (await page.evaluate<string>(found)).trim()
}

/** On the page, in the stored answer, and in the audit. */
async function expectEnd(scene: Scene, here: Visit, answer: Locator, status: 'ok' | 'refused'): Promise<void> {
  const { t } = here.texts
  expect(await approvalOf(here, answer).count()).toBe(0)
  await answer
    .locator('.tool')
    .getByText(t(`chat.toolStates.${status}`), { exact: true })
    .waitFor()
  const message = await storedAnswer(scene, here)
  expect(message).toMatchObject({ status: 'completed', tools: [{ tool: TOOL, status }] })
  const { items } = await scene.ana.api.toolCalls({ query: { conversationId: conversationOf(here.page) } })
  expect(items[0]).toMatchObject({ tool: TOOL, status, messageId: message.id, username: 'ana' })
  expect(JSON.parse(items[0]!.arguments)).toEqual({ workload: WORKLOAD })
}

async function expectStop(scene: Scene, here: Visit): Promise<void> {
  const w = words[scene.locale]
  const { page, texts } = here
  const held = heldAnswer()
  scene.model.script(held.conduct)
  const answer = await ask(here, w.report)
  await held.say(w.begins)
  await answer.getByText(w.begins.trim()).waitFor()
  await page.getByRole('button', { name: texts.t('chat.stop'), exact: true }).click()
  await untilEnd(here)
  // Nobody pays for words that nobody reads.
  await scene.model.requests.at(-1)!.hungUp
  await answer.getByText(texts.t('chat.stoppedTitle'), { exact: true }).waitFor()
  await answer.getByText(w.begins.trim()).waitFor()
  expect(await storedAnswer(scene, here)).toMatchObject({
    status: 'partial',
    content: expect.stringContaining(w.begins.trim()),
    failure: { code: 'CANCELLED' }
  })
  await look(here, 'chat-stopped')
}
