import {
  type Answerer,
  type AnswerWatch,
  type AgentTool,
  createAlertmanagerTools,
  createAnswerer,
  createKnowledgeRetrieval,
  createPrometheusTools,
  createPromptLibrary,
  createStructuredSearchTool,
  createToolAudit,
  type OfferedTools,
  type ToolServers,
  type Turn
} from '../agent/index.ts'
import type { BusinessStore } from '../store/index.ts'
import type { EndedStage } from '../search/index.ts'
import type { Parts } from './parts.ts'
import { searchOf } from './search-of.ts'
import { type SearchMeasures, structuredSearchOf } from './structured-search-of.ts'

export interface AnswererWiring {
  readonly store: BusinessStore
  /** Of people; what is asked at the command line has none. */
  readonly toolServers?: Pick<ToolServers, 'toolsFor'>
  readonly watch: AnswerWatch
  readonly onStage?: (stage: EndedStage) => void
  readonly searchMeasures?: SearchMeasures
}

/** Who answers in this process: the agent with everything that it may call, or retrieval alone where no model is set. */
export function answererOver(parts: Parts, wiring: AnswererWiring): Answerer {
  const { settings, logger } = parts
  const { store, watch } = wiring
  const prompts = createPromptLibrary({ store, now: Date.now })
  const monitoring = [...createPrometheusTools(settings.alerts), ...createAlertmanagerTools(settings.alerts)]
  return createAnswerer({
    settings: settings.chat,
    toolsFor: async (turn, signal) => {
      const { tools, unreachable } = await serversFor(parts, wiring, turn, signal)
      const own = [retrievalFor(parts, wiring, turn), structuredFor(parts, wiring, turn), ...monitoring]
      return { tools: [...own, ...tools], unreachable }
    },
    promptFor: ({ caller, language }) => prompts.promptFor(caller.tenantId, language),
    skillsFor: ({ caller }) => prompts.skillsFor(caller.tenantId),
    retrievalToolFor: (turn) => retrievalFor(parts, wiring, turn),
    record: createToolAudit({ store }).record,
    logger,
    watch,
    now: Date.now
  })
}

/** Opens index and models with its first call, not with the turn: many answers need neither. */
function retrievalFor(parts: Parts, { onStage }: AnswererWiring, { caller }: Turn): AgentTool {
  return createKnowledgeRetrieval(async (request, signal) =>
    (await searchOf(parts, onStage)).toolFor(caller)(request, signal)
  )
}

function structuredFor(parts: Parts, { searchMeasures }: AnswererWiring, { caller, language }: Turn): AgentTool {
  return createStructuredSearchTool(
    async (request, options) => (await structuredSearchOf(parts, searchMeasures)).searchFor(caller)(request, options),
    language
  )
}

/** A server that can not be reached is left out, and the log says why: the rest of the turn does not wait for it. */
async function serversFor(
  { logger }: Parts,
  { toolServers }: AnswererWiring,
  { caller, messageId }: Turn,
  signal: AbortSignal
): Promise<OfferedTools> {
  if (toolServers === undefined) return { tools: [], unreachable: [] }
  const { tools, unreachable } = await toolServers.toolsFor(caller, signal)
  for (const { name, failure } of unreachable) {
    logger.warn({ server: name, failure, messageId }, 'a tool server is left out of an answer')
  }
  return { tools, unreachable: unreachable.map(({ name }) => name) }
}
