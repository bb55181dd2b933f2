import type { Kysely } from 'kysely'
import { type KnowledgeBaseFacts, knowledgeBaseFacts } from './knowledge-bases.ts'
import type { BusinessSchema } from './schema.ts'

/** Everything that can be done with the facts, by what it is about. Each operation is one statement or one transaction. */
export interface BusinessTables {
  readonly knowledgeBases: KnowledgeBaseFacts
}

export function businessTables(database: Kysely<BusinessSchema>): BusinessTables {
  return { knowledgeBases: knowledgeBaseFacts(database) }
}
