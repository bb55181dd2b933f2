export {
  DEFAULT_KNOWLEDGE_BASE,
  knowledgeBaseName,
  LOCAL_TENANT,
  type LocalReader,
  localReader
} from './local-tenant.ts'
export type { Caller } from './caller.ts'
