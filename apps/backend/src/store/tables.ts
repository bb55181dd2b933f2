import type { Kysely } from 'kysely'
import { type ApiKeyFacts, apiKeyFacts } from './api-keys.ts'
import { type KnowledgeBaseFacts, knowledgeBaseFacts } from './knowledge-bases.ts'
import { type PeopleFacts, peopleFacts } from './people.ts'
import { type ReaderFacts, readerFacts } from './readers.ts'
import type { BusinessSchema } from './schema.ts'
import { type SessionFacts, sessionFacts } from './sessions.ts'

/** Everything that can be done with the facts, by what it is about. Each operation is one statement or one transaction. */
export interface BusinessTables {
  readonly knowledgeBases: KnowledgeBaseFacts
  readonly people: PeopleFacts
  readonly sessions: SessionFacts
  readonly apiKeys: ApiKeyFacts
  readonly readers: ReaderFacts
}

export function businessTables(database: Kysely<BusinessSchema>): BusinessTables {
  return {
    knowledgeBases: knowledgeBaseFacts(database),
    people: peopleFacts(database),
    sessions: sessionFacts(database),
    apiKeys: apiKeyFacts(database),
    readers: readerFacts(database)
  }
}
