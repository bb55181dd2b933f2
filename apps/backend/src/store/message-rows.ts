import type { Failure, Message, Source, ToolUse } from '@oncall-agent/api-contracts'
import type { Selectable } from 'kysely'
import type { BusinessSchema } from './schema.ts'

/** A message as it is stored; who reads it adds their verdicts. */
export interface StoredMessage extends Omit<Message, 'verdicts'> {
  /** Of a question: what the agent may read; null means all that its author may. */
  readonly knowledgeBaseIds: readonly string[] | null
  /** In which order text, sources and tools came. */
  readonly steps: readonly AnswerStep[]
  /** Milliseconds since the epoch; null when nobody writes it. */
  readonly leaseUntil: number | null
}

/** Something besides text happened when the answer had `at` UTF-16 units. */
export type AnswerStep =
  | { readonly at: number; readonly type: 'source'; readonly marker: number }
  | { readonly at: number; readonly type: 'tool.started' | 'tool.waiting' | 'tool.finished'; readonly callId: string }

/** What of an answer is written down while it grows. */
export interface AnswerProgress {
  readonly content: string
  readonly sources: readonly Source[]
  readonly tools: readonly ToolUse[]
  readonly steps: readonly AnswerStep[]
}

/** The whole of an ended answer. */
export interface AnswerEnding extends AnswerProgress {
  readonly status: Exclude<Message['status'], 'streaming'>
  readonly mode: Message['mode']
  readonly retrieval: Message['retrieval']
  readonly removedMarkers: number
  readonly failure: Failure | null
  readonly finishedAt: number
}

export type MessageRow = Selectable<BusinessSchema['message']>

export function messageOfRow(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    position: row.position,
    role: row.role,
    status: row.status,
    content: row.content,
    mode: row.mode,
    retrieval: row.retrieval,
    sources: JSON.parse(row.citations_json) as readonly Source[],
    tools: JSON.parse(row.tools_json) as readonly ToolUse[],
    removedMarkers: row.removed_markers,
    failure: row.failure_json === null ? null : (JSON.parse(row.failure_json) as Failure),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    knowledgeBaseIds:
      row.knowledge_base_ids_json === null ? null : (JSON.parse(row.knowledge_base_ids_json) as readonly string[]),
    steps: JSON.parse(row.events_json) as readonly AnswerStep[],
    leaseUntil: row.lease_until
  }
}

/** Columns of what grows. */
export function progressColumns({ content, sources, tools, steps }: AnswerProgress) {
  return {
    content,
    citations_json: JSON.stringify(sources),
    tools_json: JSON.stringify(tools),
    events_json: JSON.stringify(steps)
  }
}

/** Columns of an answer that has ended: nobody holds it from then on. */
export function endingColumns(ending: AnswerEnding) {
  return {
    ...progressColumns(ending),
    status: ending.status,
    mode: ending.mode,
    retrieval: ending.retrieval,
    removed_markers: ending.removedMarkers,
    failure_json: ending.failure === null ? null : JSON.stringify(ending.failure),
    finished_at: ending.finishedAt,
    lease_until: null
  }
}
