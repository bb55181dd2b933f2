import { randomUUID } from 'node:crypto'
import { AppError, type Failure, type Page, type ToolCall, type ToolCallsQuery } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import { redact } from '../../observability/index.ts'
import { type StoredToolCall, type ToolCallFacts, toolCallIdOf } from '../../store/index.ts'
import type { EndedToolCall, RecordToolCall } from './tool-audit.ts'
import { keptArguments, keptResult } from './what-is-kept.ts'

/** Every call of a tool: written once, read by who let it run and by administrators. */
export interface ToolAudit {
  readonly record: RecordToolCall
  /** @throws AppError AUTH_FORBIDDEN for everybody's calls, to all but administrators */
  list(caller: Caller, query: ToolCallsQuery): Promise<Page<ToolCall>>
  /** @throws AppError NOT_FOUND, also for a call that is not the caller's to know */
  get(caller: Caller, id: string): Promise<ToolCall>
}

/** Characters of a tool's name; no tool that exists has a longer one. */
const TOOL_NAME_LIMIT = 200

export interface ToolAuditParts {
  readonly store: { readonly toolCalls: ToolCallFacts }
}

export function createToolAudit({ store }: ToolAuditParts): ToolAudit {
  return {
    record: (call) => store.toolCalls.insert({ id: idOf(call), ...keptOf(call) }),
    list: async (caller, { limit, cursor, whose, tool, status, conversationId }) => {
      if (whose === 'everybody' && !isAdministrator(caller)) throw forbidden(caller)
      const userId = whose === 'everybody' ? undefined : caller.userId
      const page = await store.toolCalls.list({ userId, tool, status, conversationId }, { limit, cursor })
      return { ...page, items: page.items.map(toToolCall) }
    },
    get: async (caller, id) => {
      const call = await store.toolCalls.find(id)
      if (call === undefined || (call.userId !== caller.userId && !isAdministrator(caller))) {
        throw new AppError('NOT_FOUND', { operation: 'read tool call', subject: id })
      }
      return toToolCall(call)
    }
  }
}

function idOf({ messageId, callId }: EndedToolCall): string {
  return messageId === undefined || callId === undefined ? randomUUID() : toolCallIdOf(messageId, callId)
}

function keptOf(call: EndedToolCall): Omit<StoredToolCall, 'id' | 'username'> {
  return {
    tenantId: call.tenantId,
    userId: call.userId,
    origin: call.origin,
    conversationId: call.conversationId ?? null,
    messageId: call.messageId ?? null,
    diagnosisId: call.diagnosisId ?? null,
    serverId: call.serverId ?? null,
    // As a model spelled it: it may have called what does not exist.
    tool: call.tool.slice(0, TOOL_NAME_LIMIT).toWellFormed(),
    arguments: keptArguments(call.input),
    status: call.status,
    failure: redact(call.failure),
    ...keptResult(call.result),
    startedAt: Math.round(call.startedAt),
    tookMs: Math.max(0, Math.round(call.tookMs))
  }
}

function toToolCall(stored: StoredToolCall): ToolCall {
  const { tenantId: _tenant, diagnosisId: _diagnosis, resultHash, failure, ...shown } = stored
  return { ...shown, failure: failure as Failure | null, resultSha256: resultHash }
}

function isAdministrator(caller: Caller): boolean {
  return caller.role === 'admin' && caller.scopes.has('admin')
}

function forbidden(caller: Caller): AppError {
  return new AppError('AUTH_FORBIDDEN', {
    operation: 'list tool calls',
    subject: caller.credentialId,
    message: "Only an administrator may see everybody's calls."
  })
}
