import type { AnswererParts, AnswerSettings, ModelCallWatched } from '../answer/answerer-parts.ts'
import { createAnswerer } from '../answer/create-answerer.ts'
import type { Answer, Turn, TurnEvent } from '../answer/turn.ts'
import type { EndedToolCall } from '../audit/tool-audit.ts'
import type { AgentTool } from '../tools/agent-tool.ts'

/** An answerer with what it depends on, and all that it did. */
export interface Answering {
  readonly parts: AnswererParts
  readonly recorded: EndedToolCall[]
  readonly logged: { readonly level: string; readonly fields: unknown; readonly message: string }[]
  readonly modelCalls: ModelCallWatched[]
  ask(turn?: Partial<Turn>, options?: AskingOptions): Promise<Asked>
}

export interface AskingOptions {
  readonly signal?: AbortSignal
  readonly onEvent?: (event: TurnEvent) => void
}

export interface Asked extends Answer {
  readonly events: readonly TurnEvent[]
  /** The deltas put together: what a reader of the stream has. */
  readonly streamed: string
}

const settings: AnswerSettings = {
  baseUrl: '',
  model: '',
  apiKey: 'key-of-the-tests',
  temperature: 0,
  contextTokens: 32_768,
  maxOutputTokens: 4_096,
  timeoutMs: 20_000,
  retries: 2,
  deadlineMs: 60_000,
  maxSteps: 6
}

export interface AnsweringOptions {
  readonly baseUrl?: string
  readonly settings?: Partial<AnswerSettings>
  readonly tools?: readonly AgentTool[]
  readonly parts?: Partial<AnswererParts>
}

export function answering({ baseUrl = '', tools = [], ...options }: AnsweringOptions): Answering {
  const recorded: EndedToolCall[] = []
  const logged: Answering['logged'] = []
  const modelCalls: ModelCallWatched[] = []
  const log = (level: string) => (fields: unknown, message?: string) =>
    void logged.push({ level, fields, message: message ?? '' })
  const model = baseUrl === '' ? '' : 'scripted'
  const parts: AnswererParts = {
    settings: { ...settings, baseUrl, model, ...options.settings },
    toolsFor: async () => ({ tools, unreachable: [] }),
    promptFor: async () => 'You help engineers on call.',
    skillsFor: async () => ({ list: [], load: async () => undefined }),
    retrievalToolFor: () => tools[0]!,
    record: async (call) => void recorded.push(call),
    logger: { warn: log('warn'), error: log('error') } as AnswererParts['logger'],
    watch: { onToolCall: () => {}, onModelCall: (call) => void modelCalls.push(call) },
    now: () => Date.now(),
    ...options.parts
  }
  const answerer = createAnswerer(parts)
  return {
    parts,
    recorded,
    logged,
    modelCalls,
    ask: async (turn = {}, { signal = new AbortController().signal, onEvent } = {}) => {
      const events: TurnEvent[] = []
      const answer = await answerer(
        turnOf(turn),
        (event) => {
          events.push(event)
          onEvent?.(event)
        },
        signal
      )
      const streamed = events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
      return { ...answer, events, streamed }
    }
  }
}

function turnOf(turn: Partial<Turn>): Turn {
  return {
    conversationId: 'conversation-1',
    messageId: 'message-1',
    caller: { tenantId: 'tenant-1', userId: 'user-1', readable: [] },
    language: 'en',
    question: 'How do I restart the ingester?',
    history: [],
    decide: () => Promise.reject(new Error('nobody was to be asked')),
    ...turn
  }
}

/** A tool that takes anything and gives what `call` gives. */
export function toolOf(name: string, call: AgentTool['call'], more: Partial<AgentTool> = {}): AgentTool {
  return { name, description: `The tool ${name}.`, inputSchema: { type: 'object' }, permission: 'allow', call, ...more }
}
