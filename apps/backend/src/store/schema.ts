import type { Generated } from 'kysely'

/** The business store's tables, as Kysely sees them. Times are milliseconds since the epoch; `*_json` holds JSON text. */
export interface BusinessSchema {
  knowledge_base: KnowledgeBaseTable
  retrieval_run: RetrievalRunTable
}

interface KnowledgeBaseTable {
  id: string
  tenant_id: string
  name: string
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
