export type { KnowledgeBase } from './knowledge-bases.ts'
export { type BusinessStore, openBusinessStore } from './open-business-store.ts'
export type { StoredRun } from './retrieval-runs.ts'
export { acquireRunLock, type RunLock } from './run-lock.ts'
