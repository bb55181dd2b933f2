import { createHash } from 'node:crypto'
import type { Page } from '@oncall-agent/api-contracts'
import type { Kysely, Selectable } from 'kysely'
import { nextSequence } from './next-sequence.ts'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

type Row = Selectable<BusinessSchema['tool_call']>

/** One ended call of a tool, as it is kept for good. */
export interface StoredToolCall {
  readonly id: string
  readonly tenantId: string
  readonly userId: string
  /** Null when the account is not there. */
  readonly username: string | null
  readonly origin: Row['origin']
  readonly conversationId: string | null
  readonly messageId: string | null
  readonly diagnosisId: string | null
  readonly serverId: string | null
  readonly tool: string
  /** JSON text, redacted and bounded. */
  readonly arguments: string
  readonly status: Row['status']
  /** The room decides its shape. */
  readonly failure: unknown
  readonly resultHash: string | null
  readonly resultBytes: number | null
  readonly resultExcerpt: string
  readonly startedAt: number
  readonly tookMs: number
}

export type NewToolCall = Omit<StoredToolCall, 'username'>

/** Which calls; what is absent is not asked for. */
export interface ToolCallsOf {
  readonly userId?: string | undefined
  readonly tool?: string | undefined
  readonly status?: Row['status'] | undefined
  readonly conversationId?: string | undefined
}

export interface ToolCallFacts {
  /** A call is written once: the file itself refuses a change. */
  insert(call: NewToolCall): Promise<void>
  find(id: string): Promise<StoredToolCall | undefined>
  /** Newest first. */
  list(which: ToolCallsOf, page: PageRequest): Promise<Page<StoredToolCall>>
}

/**
 * @param written a connection whose commits need not wait for the disk: an answer makes several calls, and a model waits
 * for each to be written
 * @param facts the connection of everything else, held while a call is written: see `runFacts`
 */
export function toolCallFacts(written: Kysely<BusinessSchema>, facts: Kysely<BusinessSchema>): ToolCallFacts {
  return {
    insert: (call) => facts.connection().execute(() => insertToolCall(written, call)),
    find: (id) => findCall(facts, id),
    list: (which, page) => listCalls(facts, which, page)
  }
}

/** The id of a call's entry: the same for whoever writes it down, so that one call can not be entered twice. */
export function toolCallIdOf(messageId: string, callId: string): string {
  const hex = createHash('sha256').update(`${messageId} ${callId}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** @param unlessThere an entry of the call that is there already stays, and is no fault */
export async function insertToolCall(
  database: Kysely<BusinessSchema>,
  call: NewToolCall,
  { unlessThere = false }: { readonly unlessThere?: boolean } = {}
): Promise<void> {
  await database
    .insertInto('tool_call')
    .values({
      id: call.id,
      sequence: nextSequence('tool_call'),
      tenant_id: call.tenantId,
      user_id: call.userId,
      origin: call.origin,
      conversation_id: call.conversationId,
      message_id: call.messageId,
      diagnosis_id: call.diagnosisId,
      server_id: call.serverId,
      tool: call.tool,
      arguments_json: call.arguments,
      status: call.status,
      failure_json: call.failure === null ? null : JSON.stringify(call.failure),
      result_hash: call.resultHash,
      result_bytes: call.resultBytes,
      result_excerpt: call.resultExcerpt,
      started_at: call.startedAt,
      took_ms: call.tookMs
    })
    .$if(unlessThere, (query) => query.onConflict((conflict) => conflict.column('id').doNothing()))
    .execute()
}

function callsWithNames(database: Kysely<BusinessSchema>) {
  return database
    .selectFrom('tool_call')
    .leftJoin('user', 'user.id', 'tool_call.user_id')
    .selectAll('tool_call')
    .select('user.username')
}

async function findCall(database: Kysely<BusinessSchema>, id: string): Promise<StoredToolCall | undefined> {
  const row = await callsWithNames(database).where('tool_call.id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : callOf(row)
}

async function listCalls(
  database: Kysely<BusinessSchema>,
  which: ToolCallsOf,
  page: PageRequest
): Promise<Page<StoredToolCall>> {
  const conditions = [
    ['tool_call.user_id', which.userId],
    ['tool_call.tool', which.tool],
    ['tool_call.status', which.status],
    ['tool_call.conversation_id', which.conversationId]
  ] as const
  let rows = callsWithNames(database).where('tool_call.sequence', '<', pageStart(page))
  let count = database.selectFrom('tool_call').select((select) => select.fn.countAll<number>().as('total'))
  for (const [column, value] of conditions) {
    if (value === undefined) continue
    rows = rows.where(column, '=', value)
    count = count.where(column, '=', value)
  }
  const found = await rows
    .orderBy('tool_call.sequence', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { total } = await count.executeTakeFirstOrThrow()
  return pageOfRows(found, page, total, callOf)
}

function callOf(row: Row & { readonly username: string | null }): StoredToolCall {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    username: row.username,
    origin: row.origin,
    conversationId: row.conversation_id,
    messageId: row.message_id,
    diagnosisId: row.diagnosis_id,
    serverId: row.server_id,
    tool: row.tool,
    arguments: row.arguments_json,
    status: row.status,
    failure: row.failure_json === null ? null : (JSON.parse(row.failure_json) as unknown),
    resultHash: row.result_hash,
    resultBytes: row.result_bytes,
    resultExcerpt: row.result_excerpt,
    startedAt: row.started_at,
    tookMs: row.took_ms
  }
}
