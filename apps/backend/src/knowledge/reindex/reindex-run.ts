import type { Embedder, KnowledgeIndex, ListedDocument } from '@oncall-agent/retrieval'
import type { BusinessStore, PublishedVersion } from '../../store/index.ts'
import type { DocumentExtractor } from '../extract/document-extractor.ts'
import type { KnowledgeSettings } from '../settings.ts'
import type { IndexGenerations } from './generations.ts'
import type { ReindexTally } from './reindex-tally.ts'

/** What a rebuild works with. */
export interface ReindexParts {
  readonly store: BusinessStore
  readonly generations: IndexGenerations
  readonly embedder: Embedder
  readonly extractor: DocumentExtractor
  readonly settings: KnowledgeSettings
  readonly dataDirectory: string
}

/** One rebuild. */
export interface ReindexRun {
  readonly parts: ReindexParts
  readonly old: KnowledgeIndex
  readonly next: KnowledgeIndex
  /** What the new index holds, by document. */
  readonly held: Map<
    string,
    Pick<ListedDocument, 'contentHash' | 'version' | 'chunks' | 'tenantId' | 'knowledgeBaseId'>
  >
  /** Documents that are dealt with, and in which state (`stateOf`). */
  readonly settled: Map<string, string>
  /** What the facts have to say when the new index is in place, by document. */
  readonly facts: Map<string, PublishedVersion>
  readonly tally: ReindexTally
  readonly signal: AbortSignal
}
