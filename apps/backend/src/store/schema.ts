import type { Generated } from 'kysely'

/**
 * The business store's tables, as Kysely sees them. Times are milliseconds since the epoch; `*_json` holds JSON text;
 * `sequence` grows with each row of a table and orders its lists. Tables of rooms that do not exist yet are in the
 * migrations only.
 */
export interface BusinessSchema {
  user: UserTable
  session: SessionTable
  api_key: ApiKeyTable
  knowledge_base: KnowledgeBaseTable
  knowledge_base_reader: ReaderTable
  document: DocumentTable
  document_version: DocumentVersionTable
  index_task: IndexTaskTable
  job: JobTable
  job_turn: JobTurnTable
  idempotent_answer: IdempotentAnswerTable
  retrieval_run: RetrievalRunTable
  search_record: SearchRecordTable
  search_feedback: SearchFeedbackTable
  conversation: ConversationTable
  message: MessageTable
  tool_decision: ToolDecisionTable
  feedback: FeedbackTable
  prompt: PromptTable
  prompt_version: PromptVersionTable
  mcp_server: McpServerTable
  tool_call: ToolCallTable
}

interface UserTable {
  id: string
  sequence: number
  username: string
  password_hash: string
  role: 'admin' | 'member'
  created_at: number
  disabled_at: number | null
}

interface SessionTable {
  id: string
  token_hash: string
  user_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
}

interface ApiKeyTable {
  id: string
  sequence: number
  user_id: string
  name: string
  key_hash: string
  prefix: string
  scopes_json: string
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

interface KnowledgeBaseTable {
  id: string
  tenant_id: string
  name: string
  description: Generated<string>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

interface ReaderTable {
  knowledge_base_id: string
  user_id: string
  granted_at: number
}

interface DocumentTable {
  id: string
  sequence: number
  tenant_id: string
  knowledge_base_id: string
  file_name: string
  title: string | null
  /** Name and title in small letters: SQLite knows the case of ASCII only. */
  name_key: string
  media_type: string
  format: string
  byte_size: number
  sha256: string
  version: number
  indexed_version: number | null
  status: 'active' | 'deleted'
  index_status: 'pending' | 'indexing' | 'indexed' | 'failed'
  failure_json: string | null
  warnings_json: Generated<string>
  attributes_json: string
  metadata_json: Generated<string>
  chunk_count: Generated<number>
  uploaded_by: string
  created_at: number
  updated_at: number
  deleted_at: number | null
}

interface DocumentVersionTable {
  document_id: string
  version: number
  file_name: string
  media_type: string
  format: string
  byte_size: number
  sha256: string
  /** The upload's form fields, which win over the document's own attributes at each indexing. */
  form_json: string
  title: string | null
  /** Extracted text; null until the version was read. */
  text: string | null
  text_hash: string | null
  uploaded_by: string
  created_at: number
}

interface IndexTaskTable {
  id: string
  sequence: number
  tenant_id: string
  knowledge_base_id: string
  document_id: string
  document_version: number
  file_name: string
  status: 'pending' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  reason_json: string | null
  attempt: Generated<number>
  chunks_embedded: Generated<number>
  chunks_total: number | null
  cancel_requested: Generated<number>
  retry_of_task_id: string | null
  requested_by: string
  created_at: number
  started_at: number | null
  finished_at: number | null
}

interface JobTable {
  id: string
  sequence: number
  kind: string
  tenant_id: string
  subject: string
  payload_json: Generated<string>
  status: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  attempts: Generated<number>
  max_attempts: number
  due_at: number
  /** Names one taking up of the job, not a process: who has it holds the job. */
  lease_owner: string | null
  lease_expires_at: number | null
  cancel_requested: Generated<number>
  failure_json: string | null
  created_at: number
  finished_at: number | null
}

/** When a tenant was last served, as a number that grows with each job that is taken up. */
interface JobTurnTable {
  tenant_id: string
  turn: number
}

interface IdempotentAnswerTable {
  user_id: string
  key: string
  request_hash: string
  /** Null while the first request is still being answered. */
  status: number | null
  body_json: string | null
  created_at: number
}

interface RetrievalRunTable {
  id: string
  sequence: Generated<number>
  tenant_id: string
  user_id: string
  created_at: number
  query: string
  outcome: 'ok' | 'empty' | 'failed'
  record_json: string
}

export type SearchStatusName = 'strict_hit' | 'too_many' | 'loose_hit' | 'vector_only' | 'no_hit'

interface SearchRecordTable {
  sequence: Generated<number>
  id: string
  tenant_id: string
  user_id: string
  created_at: number
  kept_until: number
  status: SearchStatusName
  request_json: string
  scope_json: string
  settings_json: string
  shown_json: string
}

interface SearchFeedbackTable {
  search_id: string
  user_id: string
  document_id: string
  verdict: 'up' | 'down'
  note: string | null
  updated_at: number
}

interface ConversationTable {
  id: string
  sequence: number
  tenant_id: string
  user_id: string
  title: string
  created_at: number
  updated_at: number
  deleted_at: number | null
}

interface MessageTable {
  id: string
  conversation_id: string
  position: number
  role: 'user' | 'assistant'
  status: 'streaming' | 'completed' | 'partial' | 'failed'
  content: string
  /** Sources of the turn, with their markers. */
  citations_json: Generated<string>
  failure_json: string | null
  created_at: number
  finished_at: number | null
  mode: Generated<'agent' | 'evidence-only'>
  retrieval: Generated<'none' | 'found' | 'empty' | 'failed'>
  tools_json: Generated<string>
  removed_markers: Generated<number>
  /** Of a question: what the agent may read; null means all that its author may. */
  knowledge_base_ids_json: string | null
  /** Of an answer that is being written: until when its writer is taken for alive. */
  lease_until: number | null
  /** In which order text, sources and tools came. */
  events_json: Generated<string>
  stop_requested: Generated<number>
}

/** What a person said to a call that waits; the process that writes the answer looks it up. */
interface ToolDecisionTable {
  message_id: string
  call_id: string
  approved: number
  decided_at: number
}

interface FeedbackTable {
  tenant_id: string
  user_id: string
  message_id: string
  /** Empty for the answer itself. */
  chunk_id: Generated<string>
  run_id: Generated<string>
  verdict: 'up' | 'down'
  note: string | null
  updated_at: number
}

interface PromptTable {
  id: string
  tenant_id: string
  kind: 'prompt' | 'skill'
  name: string
  version: number
  created_at: number
  updated_at: number
  deleted_at: number | null
}

interface PromptVersionTable {
  prompt_id: string
  version: number
  description: string
  content: string
  created_by: string
  created_at: number
}

interface McpServerTable {
  id: string
  tenant_id: string
  name: string
  transport: 'stdio' | 'http'
  settings_json: string
  /** Sealed; null when there are none. */
  secrets_encrypted: string | null
  allowed_tools_json: Generated<string>
  enabled: number
  timeout_ms: Generated<number>
  created_at: number
  updated_at: number
}

interface ToolCallTable {
  id: string
  sequence: number
  tenant_id: string
  user_id: string
  origin: Generated<'chat' | 'diagnosis' | 'mcp'>
  conversation_id: string | null
  diagnosis_id: string | null
  message_id: string | null
  server_id: string | null
  tool: string
  arguments_json: string
  status: 'ok' | 'failed' | 'refused' | 'cancelled'
  failure_json: string | null
  result_hash: string | null
  result_bytes: number | null
  result_excerpt: Generated<string>
  started_at: number
  took_ms: number
}
