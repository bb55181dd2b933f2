import type { MessageEvent, ToolCall } from '@oncall-agent/api-contracts'
import { calls, type ChatModelServer, says, startChatModelServer } from '@oncall-agent/backend/chat-model-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSkipped, missingTool } from '../../scripts/services/alerting-servers/required-tools.ts'
import { type RunningAlerting, startAlerting } from '../../scripts/services/alerting-servers/start-alerting.ts'
import { temporaryFolder } from '../oncall.ts'
import { bootstrap, type Person } from './people.ts'
import { type Served, startServer } from './served.ts'

const missing = await missingTool()
const rules = `
groups:
  - name: test
    interval: 1s
    rules:
      - alert: DiskFull
        expr: label_replace(vector(0.93), "namespace", "payments", "", "")
`

let alerting: RunningAlerting
let model: ChatModelServer
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
let ana: Person

/** The last event of the answer, and every call as it ended. */
async function answered(content: string) {
  const { id } = await ana.api.createConversation({ body: {} })
  const ended: unknown[] = []
  let last: MessageEvent | undefined
  for await (const { event } of await ana.api.sendMessage({ params: { id }, body: { content } })) {
    if (event.type === 'tool.finished') ended.push([event.call.tool, event.call.status])
    last = event
  }
  return { id, ended, last }
}

async function audited(conversationId: string): Promise<readonly ToolCall[]> {
  return (await ana.api.toolCalls({ query: { conversationId } })).items.toReversed()
}

const alerts = async () => (await fetch(`${alerting.alertmanager.url}/api/v2/alerts`)).json()

/** What the model was told last, as text. */
const told = () => JSON.stringify(model.requests.at(-1)!.body.messages)

describe.skipIf(isSkipped(missing))(
  `a server whose agent reads monitoring ${missing === undefined ? '' : `(skipped: ${missing})`}`,
  () => {
    beforeAll(async () => {
      ;[alerting, model, folder] = await Promise.all([
        startAlerting({ rules }),
        startChatModelServer(says('Done.')),
        temporaryFolder()
      ])
      server = await startServer(folder.path, {
        KB_CHAT__BASE_URL: model.baseUrl,
        KB_CHAT__MODEL: 'stub',
        KB_ALERTS__PROMETHEUS_URL: alerting.prometheus.url,
        KB_ALERTS__ALERTMANAGER_URL: alerting.alertmanager.url
      })
      ana = await bootstrap(server.address)
    })
    afterAll(async () => {
      await server?.stop()
      await Promise.all([model?.close(), alerting?.stop(), folder?.remove()])
    })

    test('asks real servers, mends a query by their words, and writes every call down', async () => {
      await expect.poll(alerts, { timeout: 60_000 }).toHaveLength(1)
      model.script(
        calls([{ name: 'prometheus_query', arguments: { query: 'sum(up' } }]),
        calls([
          { name: 'prometheus_query', arguments: { query: 'sum(up)' } },
          { name: 'alertmanager_alerts', arguments: {} }
        ]),
        says('One target is up, and DiskFull fires.')
      )
      const { id, ended, last } = await answered('What is going on?')
      expect(last).toMatchObject({ type: 'message.completed', message: { status: 'completed' } })
      expect(ended).toHaveLength(3)
      expect(told()).toMatch(/Prometheus refuses the query: .*unclosed left parenthesis/)
      expect(told()).toMatch(/1 series.*\{\} 1 at.*DiskFull.*active since.*payments/)
      expect((await audited(id)).map(({ tool, status }) => [tool, status]).toSorted()).toEqual([
        ['alertmanager_alerts', 'ok'],
        ['prometheus_query', 'failed'],
        ['prometheus_query', 'ok']
      ])
    })

    test('tells the model that it could not look when Prometheus is gone', async () => {
      const other = await startAlerting()
      const elsewhere = await startServer(folder.path, {
        KB_CHAT__BASE_URL: model.baseUrl,
        KB_CHAT__MODEL: 'stub',
        KB_ALERTS__PROMETHEUS_URL: other.prometheus.url
      })
      try {
        await other.stop()
        model.script(calls([{ name: 'prometheus_query', arguments: { query: 'up' } }]), says('I could not look.'))
        const { id } = await ana.api.createConversation({ body: {} })
        const asked = await fetch(`${elsewhere.address}/api/v1/conversations/${id}/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie: ana.cookie },
          body: JSON.stringify({ content: 'Is it up?' })
        })
        expect(await asked.text()).toContain('message.completed')
        expect(told()).toContain('Prometheus could not be reached; nothing is known about what it holds.')
        const failure = { code: 'SYSTEM_UNAVAILABLE' }
        expect(await audited(id)).toMatchObject([{ tool: 'prometheus_query', status: 'failed', failure }])
      } finally {
        await elsewhere.stop()
        await other.stop()
      }
    })

    test('gives the model the own prompt and the own skill, from the next question on', async () => {
      const { items: prompts } = await ana.api.prompts({ query: {} })
      const { id: promptId, description } = prompts.find(({ name }) => name === 'chat-zh')!
      const content = 'You are the assistant of the payments team.'
      await ana.api.changePrompt({ params: { id: promptId }, body: { description, content, baseVersion: 0 } })
      await ana.api.createSkill({
        body: { name: 'failover', description: 'To the other site.', content: 'Promote it.' }
      })
      model.script(calls([{ name: 'load_skill', arguments: { name: 'failover' } }]), says('As the skill says.'))
      const { ended } = await answered('How do I fail over?')
      expect(ended).toEqual([['load_skill', 'ok']])
      expect(told()).toContain(content)
      expect(told()).toContain('- failover: To the other site.')
      expect(told()).toContain('Promote it.')
    })

    test('says that its model answers', async () => {
      model.script(calls([{ name: 'ping', arguments: {} }]))
      const tested = await ana.api.testModel({ body: { part: 'chat' } })
      expect(tested).toMatchObject({ part: 'chat', ok: true })
    })
  }
)
