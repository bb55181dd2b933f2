export { createToolAudit, type ToolAudit, type ToolAuditParts } from './audit/create-tool-audit.ts'
export type { EndedToolCall, RecordToolCall } from './audit/tool-audit.ts'
export {
  type AgentSkills,
  createPromptLibrary,
  type PromptKindLibrary,
  type PromptLibrary,
  type PromptsForAgents
} from './prompts/create-prompt-library.ts'
