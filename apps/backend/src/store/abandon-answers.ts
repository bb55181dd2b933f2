import type { Failure, ToolUse } from '@oncall-agent/api-contracts'
import type { Kysely } from 'kysely'
import { redact } from '../observability/index.ts'
import { type AnswerEnding, endingColumns, messageOfRow, type MessageRow } from './message-rows.ts'
import type { BusinessSchema } from './schema.ts'
import { insertToolCall, type NewToolCall, toolCallIdOf } from './tool-calls.ts'
import { isOpen, unfinishedAnswer } from './unfinished-answer.ts'

const ABANDONED: Failure = {
  code: 'SYSTEM_UNAVAILABLE',
  message: 'The server stopped while the answer was being written; what was written is kept.'
}
/** Of a call that had begun: nobody can say any more how far it came. */
const MAY_HAVE_HAPPENED: Failure = {
  code: 'SYSTEM_UNAVAILABLE',
  message: 'The server stopped while this call ran: it may have taken effect.'
}

/** `redact` counts levels from here and stops at 8: arguments are kept to a depth of 32, as in every entry. */
const ARGUMENTS_DEPTH = -24

interface Among {
  readonly conversationId?: string
  readonly alive?: readonly string[]
}

/** Answers whose writer gave no sign of life before its lease ran out. */
export function expired(database: Kysely<BusinessSchema>, now: number, { conversationId, alive = [] }: Among) {
  return database
    .selectFrom('message')
    .where('status', '=', 'streaming')
    .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<', now)]))
    .$if(alive.length > 0, (query) => query.where('message.id', 'not in', alive))
    .$if(conversationId !== undefined, (query) => query.where('conversation_id', '=', conversationId!))
}

/**
 * Ends answers that nobody writes any more, in a transaction of the caller's: what is there is kept, and of each call
 * that was open there is an entry in the audit from then on. An answer ends once, so its calls are entered once.
 */
export async function abandon(database: Kysely<BusinessSchema>, now: number, among: Among): Promise<readonly string[]> {
  const rows = await expired(database, now, among)
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .selectAll('message')
    .select(['conversation.tenant_id', 'conversation.user_id'])
    .execute()
  for (const row of rows) {
    const message = messageOfRow(row)
    const approved = await approvedOf(database, row.id)
    const failureOfCall = ({ status, callId }: ToolUse): Failure =>
      status === 'running' || approved.has(callId) ? MAY_HAVE_HAPPENED : ABANDONED
    const { steps, mode, removedMarkers, tools } = message
    const ending: AnswerEnding = {
      ...unfinishedAnswer(message, { failure: ABANDONED, failureOfCall }),
      steps,
      mode,
      removedMarkers,
      finishedAt: now
    }
    await database.updateTable('message').set(endingColumns(ending)).where('id', '=', row.id).execute()
    for (const call of tools.filter(isOpen)) {
      await insertToolCall(database, entryOf(row, call, failureOfCall(call)), { unlessThere: true })
    }
  }
  return rows.map(({ id }) => id)
}

async function approvedOf(database: Kysely<BusinessSchema>, messageId: string): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom('tool_decision')
    .select('call_id')
    .where('message_id', '=', messageId)
    .where('approved', '=', 1)
    .execute()
  return new Set(rows.map(({ call_id: callId }) => callId))
}

interface Abandoned extends MessageRow {
  readonly tenant_id: string
  readonly user_id: string
}

/** Of an open call no more is known than what was shown; when it began within its answer is not. */
function entryOf(row: Abandoned, { callId, tool, arguments: given }: ToolUse, failure: Failure): NewToolCall {
  return {
    id: toolCallIdOf(row.id, callId),
    tenantId: row.tenant_id,
    userId: row.user_id,
    origin: 'chat',
    conversationId: row.conversation_id,
    messageId: row.id,
    diagnosisId: null,
    serverId: null,
    tool,
    arguments: JSON.stringify(redact(valueOf(given), ARGUMENTS_DEPTH)),
    status: 'cancelled',
    failure,
    resultHash: null,
    resultBytes: null,
    resultExcerpt: '',
    startedAt: row.created_at,
    tookMs: 0
  }
}

/** Arguments that were cut for show are a text. */
function valueOf(given: string): unknown {
  try {
    return JSON.parse(given) as unknown
  } catch {
    return given
  }
}
