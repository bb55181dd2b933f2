export { DEFAULT_KNOWLEDGE_BASE, LOCAL_TENANT, type LocalReader, localReader } from './local-tenant.ts'
