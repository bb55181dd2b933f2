import { AppError, type Failure, type ToolUse } from '@oncall-agent/api-contracts'
import type { AgentTool, ToolContext } from '../tools/agent-tool.ts'
import type { AnswererParts } from './answerer-parts.ts'
import { faultOf } from './check-arguments.ts'
import { failureOf } from './sentences.ts'
import { Slots } from './slots.ts'
import { cancelled, failed, failureFrom, refused, succeeded, type ToolOutcome } from './tool-outcome.ts'
import type { TurnBounds, TurnDeadline } from './turn-deadline.ts'
import type { TurnState } from './turn-state.ts'
import { untilAborted } from './until-aborted.ts'

/** Calls that run at the same time; more of them would only wait for each other in engines and servers. */
const RUNNING_LIMIT = 8
/** Characters of the arguments that a page shows. */
const SHOWN_ARGUMENTS = 2_000
/** Characters of arguments that are checked and run; several times what any tool of ours takes. */
export const ARGUMENTS_LIMIT = 65_536
/** UTF-8 bytes of arguments that a person is asked about: they see all of what they allow, and the audit keeps all of it. */
const ASKED_ARGUMENTS_BYTES = 16_384

/** A call as the model made it. */
export interface RequestedCall {
  readonly callId: string
  readonly tool: string
  /** As it came, which may be no JSON. */
  readonly text: string
  /** Set for a call that stands for several and is not to run: why. */
  readonly refusal?: Failure
}

/** An ended call, for the model. */
export interface EndedCall {
  readonly callId: string
  readonly tool: AgentTool | undefined
  readonly outcome: ToolOutcome
}

/**
 * Runs the calls of a turn: those tools that the turn has, with arguments that fit, after a person agreed where one is
 * asked; each is recorded before its result is used. Nothing is thrown: what goes wrong is the call's outcome.
 */
export class ToolRunner {
  readonly #state: TurnState
  readonly #tools: ReadonlyMap<string, AgentTool>
  readonly #parts: AnswererParts
  readonly #signal: AbortSignal
  readonly #deadline: TurnDeadline
  readonly #slots = new Slots(RUNNING_LIMIT)
  readonly #running = new Set<Promise<EndedCall>>()

  constructor(state: TurnState, tools: readonly AgentTool[], parts: AnswererParts, { signal, deadline }: TurnBounds) {
    this.#state = state
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.#parts = parts
    this.#signal = signal
    this.#deadline = deadline
  }

  run(call: RequestedCall): Promise<EndedCall> {
    const running = this.#run(call).finally(() => void this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  /** Until no call runs and every one is recorded; soon, once the signal is aborted. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  async #run(call: RequestedCall): Promise<EndedCall> {
    const startedAt = this.#parts.now()
    const started = performance.now()
    const tool = this.#tools.get(call.tool)
    const input = parsed(call.text)
    const use: ToolUse = {
      callId: call.callId,
      tool: call.tool,
      arguments: shortened(call.text),
      status: 'running',
      tookMs: null,
      failure: null,
      found: null
    }
    this.#state.callStarted(use)
    const outcome = await this.#outcome(call, { tool, input: input?.value, use }).catch((thrown: unknown) =>
      this.#failed(thrown, call)
    )
    const tookMs = performance.now() - started
    const whole = { tool, input: input === undefined ? call.text : input.value, startedAt, tookMs }
    const recorded = await this.#recorded(call, outcome, whole)
    const { status, failure, result } = recorded
    this.#state.callFinished({ ...use, status, failure, tookMs, found: result?.found ?? null })
    this.#parts.watch.onToolCall({ tool: tool?.name ?? 'unknown', status, tookMs })
    return { callId: call.callId, tool, outcome: recorded }
  }

  async #outcome(
    call: RequestedCall,
    { tool, input, use }: { readonly tool: AgentTool | undefined; readonly input: unknown; readonly use: ToolUse }
  ): Promise<ToolOutcome> {
    if (call.refusal !== undefined) return refused(call.refusal)
    const { language } = this.#state.turn
    if (tool === undefined) return refused(failureOf('noTool', language))
    const fault = faultIn(call.text, input, tool)
    if (fault !== undefined) return failed({ code: 'VALIDATION_FAILED', message: fault })
    if (tool.permission === 'ask') {
      const whole = Buffer.byteLength(call.text)
      if (whole > ASKED_ARGUMENTS_BYTES) return failed({ code: 'VALIDATION_FAILED', message: tooLongToAsk(whole) })
      if (!(await this.#allowed({ ...use, arguments: call.text }))) return refused(failureOf('notAllowed', language))
    }
    return this.#slots.run(async () => {
      const work = tool.call(input, this.#contextOf(call.callId))
      return succeeded(await untilAborted(work, this.#signal))
    }, this.#signal)
  }

  /** Asks a person, who sees the whole of the arguments; silence is a no. @throws the turn's reason, when it ends first */
  async #allowed(use: ToolUse): Promise<boolean> {
    const waiting: ToolUse = { ...use, status: 'waiting' }
    this.#state.callWaiting(waiting)
    // What a person takes to read is not the answer's time.
    const goOn = this.#deadline.pause()
    try {
      const allowed = await untilAborted(this.#state.turn.decide(waiting, this.#signal), this.#signal)
      if (allowed) this.#state.callStarted(use)
      return allowed
    } finally {
      goOn()
    }
  }

  #contextOf(callId: string): ToolContext {
    return {
      callId,
      signal: this.#signal,
      cite: (citations, runId) => {
        this.#signal.throwIfAborted()
        if (!this.#state.isRunning(callId)) {
          throw new AppError('INTERNAL', { operation: 'cite a source', subject: callId, hint: 'Its call is over.' })
        }
        return this.#state.sources.reserve(callId, citations, runId)
      }
    }
  }

  #failed(thrown: unknown, { callId, tool }: RequestedCall): ToolOutcome {
    const { language } = this.#state.turn
    // A person allowed it, and it had begun: what it changes may be changed.
    const mayHaveHappened = this.#tools.get(tool)?.permission === 'ask' && this.#state.isRunning(callId)
    if (this.#signal.aborted) return cancelled(mayHaveHappened ? 'stoppedWhileItRan' : 'stoppedCall', language)
    this.#parts.logger.warn({ err: thrown, tool, messageId: this.#state.turn.messageId }, 'a tool failed')
    return failed(failureFrom(thrown, language))
  }

  /** What can not be audited is not used: then the call failed, whatever it found. */
  async #recorded(
    { callId, tool: name }: RequestedCall,
    outcome: ToolOutcome,
    { tool, ...whole }: WholeCall
  ): Promise<ToolOutcome> {
    const { caller, conversationId, messageId, language } = this.#state.turn
    try {
      await this.#parts.record({
        tenantId: caller.tenantId,
        userId: caller.userId,
        origin: 'chat',
        conversationId,
        messageId,
        callId,
        ...(tool?.serverId === undefined ? {} : { serverId: tool.serverId }),
        tool: name,
        status: outcome.status,
        failure: outcome.failure,
        result: outcome.result?.text ?? null,
        ...whole
      })
      return outcome
    } catch (thrown) {
      this.#parts.logger.error({ err: thrown, tool: name, messageId }, 'a call of a tool could not be recorded')
      return outcome.status === 'ok' ? failed(failureFrom(thrown, language)) : outcome
    }
  }
}

interface WholeCall {
  readonly tool: AgentTool | undefined
  readonly input: unknown
  readonly startedAt: number
  readonly tookMs: number
}

/** Models say nothing where a tool takes nothing. */
function parsed(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === '') return { value: {} }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function faultIn(text: string, input: unknown, tool: AgentTool): string | undefined {
  if (text.length > ARGUMENTS_LIMIT) {
    return `arguments: at most ${ARGUMENTS_LIMIT} characters, not ${text.length}`
  }
  return input === undefined ? 'arguments: must be JSON' : faultOf(input, tool)
}

function tooLongToAsk(bytes: number): string {
  return `arguments: a person is asked about this call and must see all of it: at most ${ASKED_ARGUMENTS_BYTES} bytes of arguments, not ${bytes}`
}

function shortened(text: string): string {
  return text.length <= SHOWN_ARGUMENTS ? text : `${text.slice(0, SHOWN_ARGUMENTS).replace(/[\uD800-\uDBFF]$/, '')}…`
}
