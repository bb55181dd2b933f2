import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { AppError, type Failure } from '@oncall-agent/api-contracts'
import type { EndedToolCall } from '../agent/index.ts'
import type { KnowledgeTool } from './knowledge-tools.ts'
import type { McpCaller, McpRooms } from './rooms.ts'

/**
 * Calls a tool, writes the call down, and gives its result: what goes wrong is a result too, with code and message, so that
 * the model at the other end can read it.
 */
export async function askTool(
  { record, logger }: Pick<McpRooms, 'record' | 'logger'>,
  tool: KnowledgeTool,
  input: unknown,
  from: McpCaller
): Promise<CallToolResult> {
  const startedAt = Date.now()
  const started = performance.now()
  const outcome = await call(tool, input, from)
  const tookMs = Math.round(performance.now() - started)
  const failure = 'failure' in outcome ? outcome.failure : null
  const { userId, tenantId } = from.caller
  const ended: EndedToolCall = {
    tenantId,
    userId,
    origin: 'mcp',
    tool: tool.name,
    input: input ?? {},
    status: failure === null ? 'ok' : from.signal.aborted ? 'cancelled' : 'failed',
    failure: failure && failureOf(failure),
    result: 'text' in outcome ? outcome.text : null,
    startedAt,
    tookMs
  }
  tell(logger, ended, failure)
  try {
    await record(ended)
  } catch (cause) {
    const unrecorded = new AppError('SYSTEM_UNAVAILABLE', { operation: 'record tool call', subject: tool.name, cause })
    logger.error({ err: unrecorded }, 'a call of a tool could not be written down, so it is not answered')
    return errorResult(unrecorded)
  }
  if ('failure' in outcome) return errorResult(outcome.failure)
  return { content: [{ type: 'text', text: outcome.text }], structuredContent: { ...outcome.answer } }
}

type Outcome =
  | { readonly answer: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly failure: AppError }

async function call(tool: KnowledgeTool, input: unknown, from: McpCaller): Promise<Outcome> {
  try {
    from.signal.throwIfAborted()
    // A client that has no arguments to give may leave them out.
    const answer = await tool.call(input ?? {}, from)
    return { answer, text: JSON.stringify(answer) }
  } catch (cause) {
    if (from.signal.aborted) return { failure: new AppError('CANCELLED', { operation: 'call tool', cause }) }
    return { failure: cause instanceof AppError ? cause : new AppError('INTERNAL', { operation: 'call tool', cause }) }
  }
}

function failureOf({ code, message }: AppError): Failure {
  return { code, message }
}

/** Where a program finds the error that the text tells a model. */
const ERROR_META = 'oncall-agent/error'

/**
 * Nothing of the cause, the hint or the subject: those are for the log. It is no structured content, which clients hold
 * against the output schema of a good answer.
 */
function errorResult({ code, message, details }: AppError): CallToolResult {
  const error = { code, message, ...(details === undefined ? {} : { details }) }
  return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }], _meta: { [ERROR_META]: error } }
}

function tell(logger: McpRooms['logger'], { tool, status, tookMs }: EndedToolCall, failure: AppError | null): void {
  const about = { tool, status, tookMs, origin: 'mcp' }
  if (failure !== null && failure.status >= 500) logger.error({ ...about, err: failure }, 'a tool failed')
  else logger.info({ ...about, ...(failure === null ? {} : { code: failure.code }) }, 'a tool was called')
}
