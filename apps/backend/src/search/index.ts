export { createSearch, type RetrievalTool, type Search, type SearchDependencies } from './create-search.ts'
export {
  createStructuredSearch,
  type StructuredSearch,
  type StructuredSearchDependencies,
  type StructuredSearchTool
} from './create-structured-search.ts'
export type { Caller } from './caller.ts'
export type { EvidenceLimits, EvidenceParts } from './evidence/evidence-parts.ts'
export type { EvidenceRun } from './evidence/evidence-run.ts'
export { type Ranking, rankCandidates } from './evidence/rank-candidates.ts'
export type { RecordedCandidate, RunRecord } from './evidence/run-record.ts'
export { type EndedStage, StageLog } from './evidence/stage-log.ts'
export type { JudgedSearchRecord } from './structured/judged-searches.ts'
export type { SearchOptions } from './structured/search-documents.ts'
export type { StructuredParts, StructuredWatch } from './structured/structured-parts.ts'
