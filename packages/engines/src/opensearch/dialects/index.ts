import type { SearchEngineOptions } from '../options.ts'
import type { Dialect } from './dialect.ts'
import { elasticsearchDialect } from './elasticsearch.ts'
import { openSearchDialect } from './opensearch.ts'

export type { Dialect, EngineServer } from './dialect.ts'

export const dialects: Readonly<Record<SearchEngineOptions['engine'], Dialect>> = {
  opensearch: openSearchDialect,
  elasticsearch: elasticsearchDialect
}
