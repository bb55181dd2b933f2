export { createToolAudit, type ToolAudit, type ToolAuditParts } from './audit/create-tool-audit.ts'
export type { EndedToolCall, RecordToolCall } from './audit/tool-audit.ts'
export {
  type AgentSkills,
  createPromptLibrary,
  type PromptKindLibrary,
  type PromptLibrary,
  type PromptsForAgents
} from './prompts/create-prompt-library.ts'
export type { Conversations } from './conversations/conversations.ts'
export {
  type ChatTiming,
  type ConversationsOptions,
  createConversations
} from './conversations/create-conversations.ts'
export type { Answer, Answerer, Turn, TurnEvent } from './answer/turn.ts'
export { createToolServers, type ToolServers } from './servers/create-tool-servers.ts'
export type { ToolsOfServers } from './servers/tools-for.ts'
export type { ManagedServers } from './servers/manage-servers.ts'
