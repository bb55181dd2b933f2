export { openSearchEngineIndex } from './open-search-engine-index.ts'
export type { SearchEngineOptions } from './options.ts'
