export { type Examined, type Finding, examine } from './doctor.ts'
export type { KnowledgeBaseRef } from './document-identity.ts'
export type { TokenCounterModule } from './extract/child/protocol.ts'
export {
  type DocumentExtractor,
  type DocumentExtractorOptions,
  createDocumentExtractor
} from './extract/document-extractor.ts'
export { type ForgetReport, type ForgetRequest, forgetPaths } from './forget-paths.ts'
export { resolveRoots } from './folder/resolve-roots.ts'
export { type IndexFolderRequest, indexFolder } from './index-folder.ts'
export type { IndexingDependencies } from './index-run.ts'
export { type IndexTextsRequest, type TextDocument, indexTexts } from './index-texts.ts'
export type { FileProblem, FileWarning, IndexProgress, IndexReport } from './run-report.ts'
export { type KnowledgeSettings, defaultKnowledgeSettings } from './settings.ts'
export type { KnowledgeService, PageRequest, ReceivedFile, StoredContent } from './service/knowledge-service.ts'
export { createKnowledgeService } from './service/create-knowledge-service.ts'
export { compareFactsWithIndex, type IndexDifference, repairDifferences } from './service/compare-facts-with-index.ts'
export { removeLeftOvers } from './service/remove-left-overs.ts'
export { createDocumentLocks, type DocumentLocks } from './index-task/document-locks.ts'
export { createIndexTaskHandler } from './index-task/index-task-handler.ts'
export type { IndexTaskParts, KnowledgeParts } from './index-task/knowledge-parts.ts'
export { createPurgeDocumentHandler, createPurgeKnowledgeBaseHandler } from './index-task/purge-handlers.ts'
