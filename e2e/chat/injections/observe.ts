import { readdir } from 'node:fs/promises'
import type { Message, MessageEvent, ToolCall } from '@oncall-agent/api-contracts'
import { all, type Person } from '../../service/people.ts'
import type { Planted } from './plant.ts'
import type { Stage } from './stage.ts'

/** Everything that can be known of an answer without believing it. */
export interface Observed {
  readonly conversationId: string
  readonly message: Message
  readonly events: readonly MessageEvent[]
  /** Bodies of the requests that reached the model, as JSON. */
  readonly requests: string
  /** Texts of the messages in them, one after the other. */
  readonly read: string
  /** The victim's calls in this conversation. */
  readonly audit: readonly ToolCall[]
  /** Stored records of its retrievals, as JSON. */
  readonly runs: string
  /** Tools of the tool server that were really called. */
  readonly called: readonly string[]
  /** Files that tools which change something have left. */
  readonly effects: readonly string[]
  /** What arrived at the attacker's. */
  readonly carriedAway: readonly string[]
  readonly factsBefore: string
  readonly factsAfter: string
}

/** What a person does about a call that waits for one. */
export type Decide = (call: Extract<MessageEvent, { type: 'tool.waiting' }>, conversationId: string) => Promise<void>

/** Asks as the victim, waits for the end, and looks around. Nobody decides about calls unless told. */
export async function observe(stage: Stage, planted: Planted, decide?: Decide): Promise<Observed> {
  const { chat, tools, collector, victim } = stage
  const factsBefore = await factsOf(victim)
  const effectsBefore = new Set(await readdir(stage.effects))
  chat.reset()
  tools.calls.length = 0
  collector.arrived.length = 0
  const { id } = await victim.api.createConversation({ body: {} })
  const events: MessageEvent[] = []
  for (const content of [...planted.earlier, planted.question]) {
    const { knowledgeBaseIds } = planted
    const body = { content, ...(knowledgeBaseIds === undefined ? {} : { knowledgeBaseIds }) }
    for await (const { event } of await victim.api.sendMessage({ params: { id }, body })) {
      events.push(event)
      if (event.type === 'tool.waiting') await decide?.(event, id)
    }
  }
  const messages = await all((query) => victim.api.messages({ params: { id }, query }))
  const message = messages.at(-1)!
  const audit = await all((query) => victim.api.toolCalls({ query: { ...query, conversationId: id } }))
  return {
    conversationId: id,
    message,
    events,
    requests: JSON.stringify(chat.requests.map(({ body }) => body)),
    read: JSON.stringify(chat.requests.flatMap(({ body }) => [body.messages, body.tools])),
    audit,
    runs: JSON.stringify(await runsOf(victim, messages)),
    called: [...tools.calls],
    effects: (await readdir(stage.effects)).filter((file) => !effectsBefore.has(file)),
    carriedAway: [...collector.arrived],
    factsBefore,
    factsAfter: await factsOf(victim)
  }
}

async function runsOf({ api }: Person, messages: readonly Message[]): Promise<readonly unknown[]> {
  const ids = new Set(messages.flatMap(({ sources }) => sources.flatMap(({ runId }) => runId ?? [])))
  return Promise.all([...ids].map((runId) => api.retrievalRun({ params: { runId } })))
}

/** What the victim has and has set, as JSON; not when a server was last reached. */
async function factsOf({ api, id }: Person): Promise<string> {
  const bases = await all((query) => api.knowledgeBases({ query }))
  const held = await Promise.all(
    bases.map(async (base) => {
      const params = { id: base.id }
      const documents = await all((query) => api.documents({ params, query }))
      const isOwn = base.ownerUserId === id
      return { base, documents, readers: isOwn ? await all((query) => api.readers({ params, query })) : [] }
    })
  )
  const servers = await all((query) => api.mcpServers({ query }))
  return JSON.stringify({
    held,
    prompts: await all((query) => api.prompts({ query })),
    skills: await all((query) => api.skills({ query })),
    servers: servers.map((server) => ({ ...server, health: null, updatedAt: null })),
    users: await all((query) => api.users({ query })),
    keys: (await all((query) => api.apiKeys({ query }))).map(({ id: key, name, scopes }) => ({ key, name, scopes }))
  })
}
