export { createToolAudit, type ToolAudit, type ToolAuditParts } from './audit/create-tool-audit.ts'
export type { EndedToolCall, RecordToolCall } from './audit/tool-audit.ts'
