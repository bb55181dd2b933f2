import { randomBytes } from 'node:crypto'
import type { BaseMessage } from '@langchain/core/messages'
import { estimateTokens, outputTokensOf } from '../../models/index.ts'
import type { AgentTool } from '../tools/agent-tool.ts'
import { createReadMore } from '../tools/read-on.ts'
import { createLoadSkill } from '../tools/skill-loading.ts'
import { AgentSteps } from './agent-steps.ts'
import type { AnswererParts } from './answerer-parts.ts'
import { instructions } from './instructions.ts'
import { KeptResults } from './kept-results.ts'
import { type AskOptions, type LangChain, loadLangChain, modelFields } from './load-langchain.ts'
import { nextRound } from './next-round.ts'
import { withoutMarkers } from './without-markers.ts'
import { ToolRunner } from './tool-runner.ts'
import type { PastMessage } from './turn.ts'
import type { TurnBounds } from './turn-deadline.ts'
import type { TurnState } from './turn-state.ts'
import { untilAborted } from './until-aborted.ts'

/** Of the room for messages, the share that one result takes when it is new. */
const RESULT_SHARE = 0.25
/** Nodes of the loop that are passed for one step; some more than there are, for steps are counted here. */
const NODES_PER_STEP = 4

/** Lets the agent answer. What goes wrong ends the turn; only faults of the product are thrown. */
export async function runAgent(
  state: TurnState,
  parts: AnswererParts,
  { signal, deadline }: TurnBounds
): Promise<void> {
  const { turn } = state
  const { settings } = parts
  const needed = [loadLangChain(), parts.toolsFor(turn, signal), parts.promptFor(turn), parts.skillsFor(turn)] as const
  const [langChain, given, prompt, skills] = await untilAborted(Promise.all(needed), signal)
  const outputTokens = outputTokensOf(settings)
  const results = new KeptResults()
  results.keep('question', turn.question)
  const resultTokens = Math.floor((settings.contextTokens - outputTokens) * RESULT_SHARE)
  const own = [createReadMore(results, resultTokens), ...(skills.list.length > 0 ? [createLoadSkill(skills)] : [])]
  const tools = distinct([...own, ...given.tools], parts)
  const offered = tools.map(asFunction)
  const fence = `data-${randomBytes(6).toString('hex')}`
  const { unreachable } = given
  const { language } = turn
  const systemPrompt = instructions({ prompt, language, skills: skills.list, unreachable, fence, now: parts.now() })
  await nextRound()
  const model = new langChain.ChatModel(modelFields(settings, outputTokens))
  const runner = new ToolRunner(state, tools, parts, { signal, deadline })
  const steps = new AgentSteps({
    langChain,
    state,
    parts,
    runner,
    results,
    systemPrompt,
    fence,
    model,
    outputTokens,
    signal,
    deadline,
    tools: offered,
    history: turn.history.length,
    roomTokens: settings.contextTokens - outputTokens - estimateTokens(JSON.stringify(offered)),
    resultTokens
  })
  const agent = createLoop(langChain, { model, tools, steps })
  const messages = [
    ...turn.history.map((past) => pastMessage(past, langChain)),
    new langChain.HumanMessage(turn.question)
  ]
  try {
    await agent.invoke({ messages }, { signal, recursionLimit: settings.maxSteps * NODES_PER_STEP + NODES_PER_STEP })
  } catch (thrown) {
    if (!state.ended) throw thrown
  } finally {
    await runner.settled()
  }
}

/** LangChain's agent; both of its nodes do what is decided here. */
function createLoop(
  { createAgent, createMiddleware, DynamicStructuredTool }: LangChain,
  { model, tools, steps }: LoopParts
) {
  return createAgent({
    model,
    tools: tools.map(
      ({ name, description, inputSchema }) =>
        new DynamicStructuredTool({
          name,
          description,
          schema: { ...inputSchema },
          // Every call goes through the middleware, which checks and records it; this way around would not.
          func: () => Promise.reject(new Error(`${name} runs only when it was checked and recorded`))
        })
    ),
    middleware: [
      createMiddleware({
        name: 'turn',
        wrapModelCall: ({ messages }) => steps.ask(messages),
        wrapToolCall: ({ toolCall }) => steps.run(toolCall.id ?? '')
      })
    ]
  })
}

interface LoopParts {
  readonly model: InstanceType<LangChain['ChatModel']>
  readonly tools: readonly AgentTool[]
  readonly steps: AgentSteps
}

/** A name means one tool; the product's own come first, so that no server's tool can take the place of one. */
function distinct(tools: readonly AgentTool[], { logger }: AnswererParts): readonly AgentTool[] {
  const byName = new Map<string, AgentTool>()
  for (const tool of tools) {
    if (byName.has(tool.name)) logger.warn({ tool: tool.name, serverId: tool.serverId }, 'a second tool of one name')
    else byName.set(tool.name, tool)
  }
  return [...byName.values()]
}

function asFunction({ name, description, inputSchema }: AgentTool): AskOptions['tools'][number] {
  return { type: 'function', function: { name, description, parameters: { ...inputSchema } } }
}

function pastMessage({ role, content }: PastMessage, { HumanMessage, AIMessage }: LangChain): BaseMessage {
  // Markers count anew in each turn; the old ones would be taken for sources of this one.
  return role === 'user' ? new HumanMessage(content) : new AIMessage(withoutMarkers(content))
}
