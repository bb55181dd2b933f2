/** What evaluation and e2e drive; nobody else imports the backend. */
export { LOCAL_TENANT } from './auth/index.ts'
export {
  type Application,
  type Column,
  EXIT,
  processTerminal,
  renderTable,
  reportError,
  type Terminal
} from './cli/index.ts'
export { compose } from './compose.ts'
export {
  createDocumentExtractor,
  defaultKnowledgeSettings,
  type DocumentExtractor,
  type IndexingDependencies,
  indexTexts
} from './knowledge/index.ts'
export { translatePortError } from './observability/index.ts'
export { type EvidenceLimits, type EvidenceParts, rankCandidates, StageLog } from './search/index.ts'
export { openBusinessStore } from './store/index.ts'
