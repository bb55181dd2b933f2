import type { ReadablePair } from './scope.ts'

/**
 * Structured search over whole documents: exact filters, keywords, one vector. The ladder of contract 2 stands above it.
 * Guarantees of every implementation, proved by `describeStructuredIndex`:
 * - scope and filters decide before anything is counted or ranked; they include or exclude and never move a score
 * - no readable pair: an empty answer, without touching storage
 * - every search throws PortError (`invalid-argument`, `unavailable`, `closed`, `corrupt`), never answers empty for a fault,
 *   and rejects with the signal's reason when it is aborted
 * - a write is visible to every reader when it resolves
 */
export interface StructuredIndex {
  readonly engine: string
  readonly capabilities: StructuredCapabilities
  /** Documents whose clauses match, ranked as `rankStructured` says, `from`..`from + size`; `total` is exact. */
  match(request: MatchRequest, signal?: AbortSignal): Promise<StructuredRecall>
  /** Values of the same documents that `match` would count: the most frequent first, equal ones by code points. */
  facets(request: FacetRequest, signal?: AbortSignal): Promise<StructuredFacets>
  /**
   * The `k` nearest documents that have a vector, nearest first, equal ones in corpus order. Their score is cos + 1.
   * @throws PortError `invalid-argument` for a vector of another width, not finite, or of norm 0
   */
  nearest(request: NearestRequest, signal?: AbortSignal): Promise<StructuredRecall>
  /**
   * Idempotent; its key is pair and document id, and a document may change its type. Readers see the old entry or the new
   * one, never none and never both; without `atomicReplacement` only while the type stays.
   * @throws PortError `invalid-argument` for a type that is not configured, or a vector as `nearest` refuses it
   */
  replaceDocument(entry: StructuredEntry): Promise<void>
  /** True when it was there. */
  deleteDocument(pair: ReadablePair, documentId: string): Promise<boolean>
  /** Every document of a pair in corpus order: what a doctor compares with the facts. */
  listDocuments(pair: ReadablePair): Promise<readonly ListedEntry[]>
  /**
   * Replaces everything by these entries. Readers see all of the old or all of the new; when the source or the engine
   * fails, the old stays whole. Callers hold their other writes until it resolves.
   */
  rebuild(entries: AsyncIterable<StructuredEntry>): Promise<void>
  /** May be called again. Everything else then throws `closed`. */
  close(): Promise<void>
}

/** What an engine can and cannot do; callers and the suite ask here and never for its name. */
export interface StructuredCapabilities {
  /** The configured types; each document has one of them. */
  readonly knowledgeTypes: readonly string[]
  /** Numbers of a vector. */
  readonly dimension: number
  /** `nearest` gives the true nearest, not most of them. */
  readonly exactNearest: boolean
  /**
   * Where N, df and the mean length come from. `scope`: the pairs of the request, whatever the filters. `engine`: all that
   * the engine holds (of a shard, with deleted documents); scores and so the order of hits may then differ.
   */
  readonly statistics: 'scope' | 'engine'
  /** Readers see one entry even while a document changes its type. */
  readonly atomicReplacement: boolean
  /** Highest `from + size`, `k` and rescore window that the engine takes, in documents. */
  readonly maxWindow: number
}

/** One document of structured search. */
export interface StructuredEntry {
  readonly documentId: string
  readonly tenantId: string
  readonly knowledgeBaseId: string
  readonly knowledgeType: string
  readonly project?: string
  readonly equipment?: string
  /** Exact values; a repeated one counts once. */
  readonly errorCodes: readonly string[]
  readonly title: string
  readonly body: string
  /** Milliseconds since the epoch; with the id it gives the corpus order. */
  readonly createdAt: number
  /** Digest of all that the entry was made of; equal means nothing to do. */
  readonly contentHash: string
  /** Of any norm above 0. Absent where the document has none: it is then found by keywords alone. */
  readonly vector?: Float32Array
}

export type ListedEntry = Pick<StructuredEntry, 'documentId' | 'knowledgeType' | 'contentHash'> & {
  readonly hasVector: boolean
}

/** Exact equality of whole values, case and all; every filter given must hold. */
export interface StructuredFilters {
  readonly project?: string
  readonly equipment?: string
  /** The document carries any of them; an empty list lets nothing through. */
  readonly errorCodes?: readonly string[]
  readonly knowledgeType?: string
}

/** Ids that `without` takes at most. */
export const WITHOUT_LIMIT = 10_000

/** What every search is confined to. */
export interface StructuredSelection {
  /** Readable pairs; empty means nothing. */
  readonly pairs: readonly ReadablePair[]
  readonly filters: StructuredFilters
  /**
   * Ids of documents, of whichever pair, that are as if they were not there: in no hit, total, facet, window or nearest.
   * Statistics may still count them, so scores may differ by them. Unknown ids do no harm; more than `WITHOUT_LIMIT` are
   * `invalid-argument`.
   */
  readonly without?: readonly string[]
}

/** One keyword. It matches a field that has `minimum` of its tokens or more, and a document with such a field. */
export interface KeywordClause {
  /** Distinct tokens v1. None: the clause matches nothing. */
  readonly tokens: readonly string[]
  /** 1..tokens.length. */
  readonly minimum: number
}

/** `all` clauses must match (none given: every selected document does), or `any` of them (none given: no document does). */
export interface ClauseMatch {
  readonly clauses: readonly KeywordClause[]
  readonly mode: 'all' | 'any'
}

export interface MatchRequest extends StructuredSelection, ClauseMatch {
  /** Factor of a title's score, 0 or more. */
  readonly titleBoost: number
  readonly from: number
  readonly size: number
  /** Absent: the score is the BM25 part alone. */
  readonly rescore?: Rescore
}

/**
 * The best `window` documents by BM25 score `(1 - weight)·bm25 + weight·vectorPart`; those behind them keep
 * `(1 - weight)·bm25`. Refuses vectors as `nearest` does.
 */
export interface Rescore {
  readonly vector: Float32Array
  /** Documents, 1 or more. */
  readonly window: number
  /** 0..1. */
  readonly weight: number
}

export interface FacetRequest extends StructuredSelection, ClauseMatch {
  readonly fields: readonly FacetField[]
  /** Values a field at most. */
  readonly buckets: number
}

export type FacetField = 'project' | 'equipment' | 'errorCodes'

export type StructuredFacets = Readonly<Partial<Record<FacetField, Facet>>>

export interface Facet {
  readonly buckets: readonly FacetBucket[]
  /** Values of documents beyond the buckets: a document counts once for each such value. */
  readonly truncated: number
}

export interface FacetBucket {
  readonly value: string
  /** Documents that carry the value. */
  readonly count: number
}

export interface NearestRequest extends StructuredSelection {
  readonly vector: Float32Array
  readonly k: number
  /** How many an approximate engine looks at, `k` or more; it may cap this at a limit of its own, not below `k`. */
  readonly numCandidates: number
}

export interface StructuredRecall {
  /** Documents that match, whatever the page; of `nearest`, those found. */
  readonly total: number
  readonly hits: readonly StructuredHit[]
}

export interface StructuredHit {
  readonly document: Omit<StructuredEntry, 'vector'>
  /** What the hit is ranked by. */
  readonly score: number
  /** Sum over the matching clauses; 0 without clauses, and from `nearest`. */
  readonly bm25: number
  /** cos + 1, 0..2; 0 where the document has no vector, stands behind the window, or nothing was rescored. */
  readonly vectorPart: number
}
