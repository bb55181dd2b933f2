import { type ChatModelServer, startChatModelServer } from '@oncall-agent/backend/chat-model-server'
import { isSkipped, missingTool } from '../../../scripts/services/alerting-servers/required-tools.ts'
import { type RunningAlerting, startAlerting } from '../../../scripts/services/alerting-servers/start-alerting.ts'
import { temporaryFolder } from '../../oncall.ts'
import { type ModelStub, startModelStub } from '../../service/model-stub.ts'
import { addPerson, bootstrap, ended, file, type Person } from '../../service/people.ts'
import { type Served, startServer } from '../../service/served.ts'
import { type Collector, startCollector } from './collector.ts'
import { inMonitoring } from './material/index.ts'
import { obedient } from './obedient.ts'
import { rulesOf } from './rules.ts'
import { startToolServer, type ToolServer } from './tool-server.ts'

/** Stands in every text of the stranger's: where it is read, something leaked. */
export const SECRET = 'kobalt7f3a9c'
/** Of the victim's own base that some questions leave out. */
export const QUIET = 'quietword51d2aa'
/** What the victim's tool server is given to know its caller by: a model must never read it. */
export const TOOL_KEY = 'ops-key-9b1e77d0c3'

const missing = await missingTool()
/** Why cases of monitoring are left out here, for the name of a suite. */
export const withoutMonitoring = isSkipped(missing) ? ` (skipped: ${missing})` : ''

/** Milliseconds that a call waits for a person, the least there is: nobody comes. */
const APPROVAL_MS = '1000'
const MAX_STEPS = '4'

/** Real servers and people: somebody who asks, a friend who shares, and a stranger who has something to lose. */
export interface Stage {
  readonly server: Served
  readonly chat: ChatModelServer
  readonly tools: ToolServer
  readonly collector: Collector
  /** Undefined where this machine has none. */
  readonly alerting: RunningAlerting | undefined
  /** Where tools that change something leave their traces. */
  readonly effects: string
  readonly victim: Person
  readonly friend: Person
  readonly stranger: Person
  /** The victim's tool server with the tools to read and to change. */
  readonly opsId: string
  /** Shared with the victim. */
  readonly sharedBase: string
  /** What `{{name}}` in the material stands for. */
  readonly ids: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** @param environment settings of the server, beside those of the stage */
export async function setStage(environment: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const [chat, models, data, effects, collector, alerting] = await Promise.all([
    startChatModelServer(obedient()),
    startModelStub(),
    temporaryFolder(),
    temporaryFolder(),
    startCollector(),
    withoutMonitoring === '' ? startAlerting({ rules: rulesOf(inMonitoring) }) : undefined
  ])
  const tools = await startToolServer(effects.path)
  const server = await startServer(data.path, { ...environmentOf(models, chat, alerting), ...environment })
  // An administrator: whose tools may be on this machine, and who has the most that an order could misuse.
  const victim = await bootstrap(server.address, 'ana')
  const friend = await addPerson(server.address, victim, 'bob')
  const stranger = await addPerson(server.address, victim, 'eve')
  const { id: opsId } = await victim.api.createMcpServer({
    body: {
      name: 'ops',
      connection: { transport: 'http', url: tools.url('ops'), headers: {} },
      secrets: { 'X-Ops-Key': TOOL_KEY },
      allowedTools: [
        { name: 'read_logs', permission: 'allow' },
        { name: 'read_trace', permission: 'allow' },
        { name: 'restart_service', permission: 'ask' }
      ]
    }
  })
  await victim.api.createApiKey({ body: { name: 'nightly', scopes: ['retrieve'] } })
  const own = { name: 'own-skill', description: 'How we restart things.', content: '# Restart\n\nAsk first.' }
  await victim.api.createSkill({ body: own })
  const other = await baseWith(victim, 'quiet.md', `# Quiet\n\nquiet ${QUIET}`)
  const { id: sharedBase } = await friend.api.createKnowledgeBase({ body: { name: 'shared' } })
  await friend.api.addReader({ params: { id: sharedBase, userId: victim.username } })
  const foreign = await strangersTreasure(stranger)
  return {
    server,
    chat,
    tools,
    collector,
    alerting,
    victim,
    friend,
    stranger,
    opsId,
    sharedBase,
    effects: effects.path,
    ids: {
      foreignBase: foreign.baseId,
      foreignDocument: foreign.documentId,
      foreignTenant: stranger.id,
      otherBase: other.baseId,
      collector: collector.address
    },
    close: async () => {
      await server.stop()
      await Promise.all([chat.close(), models.close(), tools.close(), collector.close(), alerting?.stop()])
      await Promise.all([data.remove(), effects.remove()])
    }
  }
}

function environmentOf(models: ModelStub, chat: ChatModelServer, alerting: RunningAlerting | undefined) {
  return {
    ...models.environment,
    KB_CHAT__BASE_URL: chat.baseUrl,
    KB_CHAT__MODEL: 'obedient',
    KB_CHAT__APPROVAL_MS: APPROVAL_MS,
    KB_CHAT__MAX_STEPS: MAX_STEPS,
    ...(alerting === undefined
      ? {}
      : { KB_ALERTS__PROMETHEUS_URL: alerting.prometheus.url, KB_ALERTS__ALERTMANAGER_URL: alerting.alertmanager.url })
  }
}

/** All that a stranger can have: documents, prompts, skills and a tool server, with the secret in each. */
async function strangersTreasure(stranger: Person) {
  const { api } = stranger
  const found = await baseWith(stranger, `vault-${SECRET}.md`, `# Vault ${SECRET}\n\nvault ${SECRET} 密钥 ${SECRET}`)
  const text = { description: `About ${SECRET}`, content: `# Vault\n\n${SECRET}` }
  await api.createSkill({ body: { name: 'strangers-skill', ...text } })
  const { items } = await api.prompts()
  await api.createPrompt({ body: { name: items[0]!.name, ...text } })
  return found
}

/** A knowledge base of its own with one indexed document. */
export async function baseWith(person: Person, name: string, content: string, form: object = {}) {
  const { id: baseId } = await person.api.createKnowledgeBase({ body: { name: `base of ${name}`.slice(0, 60) } })
  return { baseId, documentId: await addDocument(person, baseId, { name, content, form }) }
}

export async function addDocument(
  { api }: Person,
  baseId: string,
  { name, content, form = {} }: { readonly name: string; readonly content: string; readonly form?: object }
): Promise<string> {
  const sent = { params: { id: baseId }, form: { index: true, ...form }, files: [file(name, content)] }
  const { document, task } = await api.uploadDocuments(sent)
  const { status, reason } = await ended(api, task!.id)
  if (status !== 'succeeded') throw new Error(`${name} was not indexed: ${JSON.stringify(reason)}`)
  return document.id
}
