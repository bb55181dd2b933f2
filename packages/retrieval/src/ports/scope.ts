/** What a caller may read. Every read of an index carries one; there is no value that means "everything". */
export interface Scope {
  /** Readable (tenant, knowledge base) pairs. Empty means nothing is readable, and an engine answers empty. */
  readonly pairs: readonly ReadablePair[]
  /** Only these documents, exactly. Absent means all documents of the pairs. */
  readonly documentIds?: readonly string[]
  /** Exact equality with type (`1` is not `"1"` is not `true`); all keys must match. */
  readonly metadata?: Metadata
}

export interface ReadablePair {
  readonly tenantId: string
  readonly knowledgeBaseId: string
}

export type MetadataValue = string | number | boolean

export type Metadata = Readonly<Record<string, MetadataValue>>
