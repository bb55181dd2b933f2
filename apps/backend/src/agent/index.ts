export type {
  AnswererParts,
  AnswerSettings,
  AnswerWatch,
  ModelCallWatched,
  OfferedTools
} from './answer/answerer-parts.ts'
export { asPlainText } from './answer/answer-with-evidence.ts'
export { createAnswerer } from './answer/create-answerer.ts'
export { warm } from './answer/load-langchain.ts'
export type { Answer, Answerer, PastMessage, Turn, TurnEvent } from './answer/turn.ts'
export { createToolAudit, type ToolAudit, type ToolAuditParts } from './audit/create-tool-audit.ts'
export type { EndedToolCall, RecordToolCall } from './audit/tool-audit.ts'
export {
  createPromptLibrary,
  type PromptKindLibrary,
  type PromptLibrary,
  type PromptsForAgents
} from './prompts/create-prompt-library.ts'
export type { Conversations } from './conversations/conversations.ts'
export type { ChatTiming, ConversationsOptions } from './conversations/chat-parts.ts'
export { createConversations } from './conversations/create-conversations.ts'
export { createToolServers, type ToolServers } from './servers/create-tool-servers.ts'
export type { ToolsOfServers } from './servers/tools-for.ts'
export type { ManagedServers } from './servers/manage-servers.ts'
export { createAlertmanagerTools, type AlertmanagerSettings } from './tools/alertmanager/create-alertmanager-tools.ts'
export { createPrometheusTools, type PrometheusSettings } from './tools/prometheus/create-prometheus-tools.ts'
export type { AgentTool, ToolContext, ToolResult } from './tools/agent-tool.ts'
export { createKnowledgeRetrieval } from './tools/knowledge-retrieval.ts'
export type { LoadableSkills } from './tools/skill-loading.ts'
export { createStructuredSearchTool } from './tools/structured-search.ts'
