import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { AnswererParts } from './answerer-parts.ts'
import type { StreamedCall } from './answer-collector.ts'
import { askModel, type ModelQuestion } from './ask-model.ts'
import { fitContext, tokensOf } from './fit-context.ts'
import { leftOutNote } from './instructions.ts'
import type { KeptResults, ShownPage } from './kept-results.ts'
import type { LangChain } from './load-langchain.ts'
import { ModelFailure } from './model-failure.ts'
import { failureOf } from './sentences.ts'
import { ARGUMENTS_LIMIT, type EndedCall, type RequestedCall, type ToolRunner } from './tool-runner.ts'
import type { TurnState } from './turn-state.ts'

/** Calls of one step that are looked at; a model that makes more is lost, and every result takes its room. */
const CALLS_PER_STEP = 32
/** Levels of arguments that the loop is shown. */
const DEPTH_LIMIT = 100
/** Tokens for the note that earlier messages are left out. */
const NOTE_TOKENS = 60

export interface StepParts extends Pick<ModelQuestion, 'model' | 'tools' | 'outputTokens' | 'signal' | 'deadline'> {
  readonly langChain: LangChain
  readonly state: TurnState
  readonly parts: AnswererParts
  readonly runner: ToolRunner
  readonly results: KeptResults
  readonly systemPrompt: string
  /** Name of the marks around data. */
  readonly fence: string
  /** Messages of earlier turns. */
  readonly history: number
  /** Tokens that messages may have, instructions included. */
  readonly roomTokens: number
  /** Tokens of one result when it is new. */
  readonly resultTokens: number
}

/** What the agent's loop does in each of its two nodes: asks the model, and runs a call. */
export class AgentSteps {
  readonly #step: StepParts
  /** What results are shown by, by call. */
  readonly #pages = new Map<string, ShownPage>()
  /** What the model made of its calls, by the id that they have here. */
  readonly #requested = new Map<string, RequestedCall>()
  #steps = 0
  #calls = 0
  #excess: { readonly callId: string; readonly note: string } | undefined

  constructor(step: StepParts) {
    this.#step = step
  }

  /** The model's next message; an empty one, which ends the loop, when the turn is over. */
  async ask(messages: readonly BaseMessage[]): Promise<AIMessage> {
    const { state, signal, langChain, parts } = this.#step
    const nothing = new langChain.AIMessage('')
    if (state.ended) return nothing
    this.#steps += 1
    const fitting = this.#fitting(messages)
    if (fitting === undefined) {
      state.end('context')
      return nothing
    }
    try {
      return await this.#answered(fitting)
    } catch (thrown) {
      // Whoever stopped the turn has said why.
      if (signal.aborted) return nothing
      if (!(thrown instanceof ModelFailure)) throw thrown
      const { messageId } = state.turn
      const { status, causes, reason } = thrown
      parts.logger.warn({ err: thrown, messageId, status, causes }, 'the chat model failed')
      state.end(reason)
      return nothing
    }
  }

  /** A call's result as the model reads it. */
  async run(callId: string): Promise<ToolMessage> {
    const { runner, langChain } = this.#step
    const requested = this.#requested.get(callId)
    if (requested === undefined) throw new Error(`no call ${callId} was made`)
    const ended = await runner.run(requested)
    const text = `${this.#shown(ended)}${this.#excess?.callId === callId ? `\n${this.#excess.note}` : ''}`
    return new langChain.ToolMessage({
      content: text,
      tool_call_id: callId,
      status: ended.outcome.status === 'ok' ? 'success' : 'error'
    })
  }

  async #answered(messages: BaseMessage[]): Promise<AIMessage> {
    const { state, langChain, parts } = this.#step
    const last = this.#steps >= parts.settings.maxSteps
    let begun = false
    const onText = (text: string): void => {
      if (!begun) state.beginParagraph()
      begun = true
      state.write(text)
    }
    const toolChoice = last ? 'none' : 'auto'
    const answer = await askModel({ ...this.#step, messages, toolChoice, onText }, parts)
    if (answer.calls.length > 0 && last) state.end('steps')
    else if (answer.calls.length === 0) this.#concluded(answer)
    if (state.ended || answer.calls.length === 0) return new langChain.AIMessage(answer.text)
    const calls = await this.#take(answer.calls)
    return new langChain.AIMessage({
      content: answer.text,
      tool_calls: calls.map(({ callId, tool, text }) => ({
        id: callId,
        name: tool,
        args: argumentsOf(text),
        type: 'tool_call'
      }))
    })
  }

  #concluded({ text, finish }: { readonly text: string; readonly finish: string | null }): void {
    const { state } = this.#step
    if (finish === 'length') state.end('length')
    else if (finish === 'content_filter') state.end('withheld')
    else if (text.trim() === '') state.end('empty')
  }

  /**
   * Gives every call an id of its own, for those of models are missing, double or anybody's text. Too many at once are
   * refused together: the first ones run, the others are one entry of the record.
   */
  async #take(calls: readonly StreamedCall[]): Promise<readonly RequestedCall[]> {
    const { state, runner } = this.#step
    const taken = calls.slice(0, CALLS_PER_STEP).map((call) => this.#numbered(call))
    for (const call of taken) this.#requested.set(call.callId, call)
    const excess = calls.slice(CALLS_PER_STEP)
    this.#excess = undefined
    if (excess.length === 0) return taken
    const counts: Record<string, number> = {}
    for (const { tool } of excess) counts[tool] = (counts[tool] ?? 0) + 1
    const refusal = failureOf('calls', state.turn.language)
    const text = JSON.stringify({ refused_calls: excess.length, tools: counts })
    await runner.run({ ...this.#numbered({ tool: excess[0]?.tool ?? '', text }), refusal })
    const note = `[${excess.length} more calls of this step were refused: at most ${CALLS_PER_STEP} at once. Make fewer.]`
    this.#excess = { callId: taken.at(-1)?.callId ?? '', note }
    return taken
  }

  #numbered({ tool, text }: StreamedCall): RequestedCall {
    this.#calls += 1
    // Nine letters and digits, which is what the strictest of the servers wants.
    return { callId: `call${String(this.#calls).padStart(5, '0')}`, tool: tool === '' ? 'unnamed' : tool, text }
  }

  /** Instructions, and of the messages what fits. */
  #fitting(messages: readonly BaseMessage[]): BaseMessage[] | undefined {
    const { langChain, systemPrompt, history, roomTokens, state, results, resultTokens } = this.#step
    const system = new langChain.SystemMessage(systemPrompt)
    const fitting = fitContext(messages, {
      history,
      tokens: roomTokens - tokensOf(system) - NOTE_TOKENS,
      shorten: {
        result: (message, tokens) => this.#shortened(message, Math.min(tokens, resultTokens)),
        question: (tokens) => new langChain.HumanMessage(results.page({ result: 'question', offset: 0 }, tokens))
      }
    })
    if (fitting === undefined) return undefined
    // The loop names its messages after itself; servers that know no such field refuse it.
    for (const message of fitting.messages) delete message.name
    const leftOut = fitting.leftOut + (state.turn.older ?? 0)
    if (leftOut === 0) return [system, ...fitting.messages]
    const note = leftOutNote(leftOut, state.turn.language)
    return [new langChain.SystemMessage(`${systemPrompt}\n\n${note}`), ...fitting.messages]
  }

  #shortened({ tool_call_id: callId, status }: ToolMessage, tokens: number): ToolMessage | undefined {
    const { langChain, results } = this.#step
    const page = this.#pages.get(callId)
    if (page === undefined) return undefined
    const content = this.#asData(results.page(page, tokens))
    return new langChain.ToolMessage({ content, tool_call_id: callId, ...(status === undefined ? {} : { status }) })
  }

  /** A result, or what went wrong; both are data, for both may quote somebody. */
  #shown({ callId, tool, outcome: { failure, result } }: EndedCall): string {
    const { results, resultTokens } = this.#step
    if (failure !== null) {
      const note = tool?.failureNote === undefined ? '' : `\n${tool.failureNote}`
      return `The call failed (${failure.code}).\n${this.#asData(failure.message)}${note}`
    }
    if (result === null) return this.#asData('')
    if (result.page === undefined) results.keep(callId, result.text)
    const page = result.page ?? { result: callId, offset: 0 }
    this.#pages.set(callId, page)
    return this.#asData(results.page(page, resultTokens))
  }

  #asData(text: string): string {
    const { fence } = this.#step
    return `<${fence}>\n${text}\n</${fence}>`
  }
}

/** For the model to see its own call; what is no JSON object, or too long or deep to be run, was never arguments. */
function argumentsOf(text: string): Record<string, unknown> {
  if (text.length > ARGUMENTS_LIMIT || isDeep(text)) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** Whether brackets are nested deeper than any tool needs: the loop walks arguments by calling itself. */
function isDeep(text: string): boolean {
  let depth = 0
  for (const mark of text.match(/[[\]{}]/g) ?? []) {
    depth += mark === '[' || mark === '{' ? 1 : -1
    if (depth > DEPTH_LIMIT) return true
  }
  return false
}
