import type { Kysely } from 'kysely'
import { type AnswerFacts, answerFacts } from './answers.ts'
import { type ApiKeyFacts, apiKeyFacts } from './api-keys.ts'
import { type ConversationFacts, conversationFacts } from './conversations.ts'
import { type DocumentFacts, documentFacts } from './documents.ts'
import { type AnswerFeedbackFacts, answerFeedbackFacts } from './feedback.ts'
import { type IndexTaskFacts, indexTaskFacts } from './index-tasks.ts'
import { type IdempotentAnswerFacts, idempotentAnswerFacts } from './idempotent-answers.ts'
import { type JobFacts, jobFacts } from './jobs.ts'
import { type KnowledgeBaseFacts, knowledgeBaseFacts } from './knowledge-bases.ts'
import { type McpServerFacts, mcpServerFacts } from './mcp-servers.ts'
import { type MessageFacts, messageFacts } from './messages.ts'
import { type PeopleFacts, peopleFacts } from './people.ts'
import { type PromptFacts, promptFacts } from './prompts.ts'
import type { BusinessSchema } from './schema.ts'
import { type FeedbackFacts, feedbackFacts } from './search-feedback.ts'
import { type SessionFacts, sessionFacts } from './sessions.ts'
import { type SharingFacts, sharingFacts } from './sharing.ts'

/** Everything that can be done with the facts, by what it is about. Each operation is one statement or one transaction. */
export interface BusinessTables {
  readonly knowledgeBases: KnowledgeBaseFacts
  readonly people: PeopleFacts
  readonly sessions: SessionFacts
  readonly apiKeys: ApiKeyFacts
  readonly jobs: JobFacts
  readonly idempotentAnswers: IdempotentAnswerFacts
  readonly documents: DocumentFacts
  readonly indexTasks: IndexTaskFacts
  readonly sharing: SharingFacts
  readonly searchFeedback: FeedbackFacts
  readonly conversations: ConversationFacts
  readonly messages: MessageFacts
  readonly answers: AnswerFacts
  readonly answerFeedback: AnswerFeedbackFacts
  readonly prompts: PromptFacts
  readonly mcpServers: McpServerFacts
}

export function businessTables(database: Kysely<BusinessSchema>): BusinessTables {
  return {
    knowledgeBases: knowledgeBaseFacts(database),
    people: peopleFacts(database),
    sessions: sessionFacts(database),
    apiKeys: apiKeyFacts(database),
    jobs: jobFacts(database),
    idempotentAnswers: idempotentAnswerFacts(database),
    documents: documentFacts(database),
    indexTasks: indexTaskFacts(database),
    sharing: sharingFacts(database),
    searchFeedback: feedbackFacts(database),
    prompts: promptFacts(database),
    conversations: conversationFacts(database),
    messages: messageFacts(database),
    answers: answerFacts(database),
    answerFeedback: answerFeedbackFacts(database),
    mcpServers: mcpServerFacts(database)
  }
}
