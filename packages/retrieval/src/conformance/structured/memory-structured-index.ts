import { PortError, WITHOUT_LIMIT } from '../../ports/index.ts'
import type * as ports from '../../ports/index.ts'
import {
  compareCodePoints,
  compareInCorpusOrder,
  documentScore,
  fieldStatistics,
  fieldTokens,
  isComparable,
  rankStructured,
  rescore,
  vectorPartOf
} from '../../structured/index.ts'
import type { BothFields, FieldTokens } from '../../structured/index.ts'
import { tokenize } from '../../tokens/index.ts'

export interface MemoryStructuredOptions {
  readonly dimension: number
  readonly knowledgeTypes: readonly string[]
}

interface Stored {
  readonly entry: ports.StructuredEntry
  readonly fields: BothFields<FieldTokens>
}

interface Matched {
  readonly stored: Stored
  readonly bm25: number
}

/**
 * Structured search that looks at every document for every question. The suite compares with it, and tests of the ladder
 * run on it.
 */
export class MemoryStructuredIndex implements ports.StructuredIndex {
  readonly engine = 'memory'
  readonly capabilities: ports.StructuredCapabilities
  #entries = new Map<string, Stored>()
  #closed = false

  constructor({ dimension, knowledgeTypes }: MemoryStructuredOptions) {
    this.capabilities = {
      knowledgeTypes,
      dimension,
      exactNearest: true,
      statistics: 'scope',
      atomicReplacement: true,
      maxWindow: Number.MAX_SAFE_INTEGER
    }
  }

  async match(request: ports.MatchRequest, signal?: AbortSignal): Promise<ports.StructuredRecall> {
    this.#open(signal)
    if (request.rescore !== undefined) this.#checkVector(request.rescore.vector, 'match documents')
    const recalled = rankStructured(
      this.matching(request, request.titleBoost).map(({ stored, bm25 }) => ({ stored, bm25, score: bm25 }))
    )
    const page = ranked(recalled, request.rescore).slice(request.from, request.from + request.size)
    return { total: recalled.length, hits: page.map(hitOf) }
  }

  async facets(request: ports.FacetRequest, signal?: AbortSignal): Promise<ports.StructuredFacets> {
    this.#open(signal)
    const entries = this.matching(request, 1).map(({ stored }) => stored.entry)
    return Object.fromEntries(
      request.fields.map((field) => [field, facetOf(entries.map(valuesOf(field)), request.buckets)])
    )
  }

  async nearest(request: ports.NearestRequest, signal?: AbortSignal): Promise<ports.StructuredRecall> {
    this.#open(signal)
    this.#checkVector(request.vector, 'find nearest')
    const scored = this.selected(request).flatMap((stored) => {
      if (stored.entry.vector === undefined) return []
      const score = vectorPartOf(request.vector, stored.entry.vector)
      return [{ stored, bm25: 0, vectorPart: score, score }]
    })
    const nearest = rankStructured(scored).slice(0, request.k)
    return { total: nearest.length, hits: nearest.map(hitOf) }
  }

  async replaceDocument(entry: ports.StructuredEntry): Promise<void> {
    this.#open()
    this.put(entry)
  }

  async deleteDocument(pair: ports.ReadablePair, documentId: string): Promise<boolean> {
    this.#open()
    return this.forget(pair, documentId)
  }

  /** Replaces at once, for an index that writes chunks in the same step. @throws PortError invalid-argument */
  put(entry: ports.StructuredEntry): void {
    this.#entries.set(keyOf(entry, entry.documentId), this.#stored(entry))
  }

  /** Deletes at once; true when it was there. */
  forget(pair: ports.ReadablePair, documentId: string): boolean {
    return this.#entries.delete(keyOf(pair, documentId))
  }

  /** Every entry of every pair. */
  all(): readonly ports.StructuredEntry[] {
    return [...this.#entries.values()].map(({ entry }) => entry)
  }

  async listDocuments(pair: ports.ReadablePair): Promise<readonly ports.ListedEntry[]> {
    this.#open()
    return this.#inPairs([pair]).map(({ entry: { documentId, knowledgeType, contentHash, vector } }) => ({
      documentId,
      knowledgeType,
      contentHash,
      hasVector: vector !== undefined
    }))
  }

  async rebuild(entries: AsyncIterable<ports.StructuredEntry>): Promise<void> {
    this.#open()
    const next = new Map<string, Stored>()
    for await (const entry of entries) next.set(keyOf(entry, entry.documentId), this.#stored(entry))
    this.#entries = next
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#entries.clear()
  }

  /** Documents that the scope and the filters let through, in corpus order. */
  protected selected({ pairs, filters, without = [] }: ports.StructuredSelection): Stored[] {
    if (without.length > WITHOUT_LIMIT)
      throw invalid('select documents', 'without', `has more than ${WITHOUT_LIMIT} ids`)
    const left = new Set(without)
    return this.#inPairs(pairs).filter(({ entry }) => !left.has(entry.documentId) && this.passes(entry, filters))
  }

  protected passes(entry: ports.StructuredEntry, filters: ports.StructuredFilters): boolean {
    const { project, equipment, errorCodes, knowledgeType } = filters
    if (project !== undefined && entry.project !== project) return false
    if (equipment !== undefined && entry.equipment !== equipment) return false
    if (knowledgeType !== undefined && entry.knowledgeType !== knowledgeType) return false
    return errorCodes === undefined || errorCodes.some((code) => entry.errorCodes.includes(code))
  }

  /** Selected documents that match, in corpus order. The statistics are those of the pairs, whatever the filters. */
  protected matching(request: ports.StructuredSelection & ports.ClauseMatch, titleBoost: number): Matched[] {
    const inScope = this.#inPairs(request.pairs)
    const statistics = {
      title: fieldStatistics(inScope.map(({ fields }) => fields.title)),
      body: fieldStatistics(inScope.map(({ fields }) => fields.body))
    }
    return this.selected(request).flatMap((stored) => {
      const bm25 = documentScore(request, stored.fields, { statistics, titleBoost })
      return bm25 === null ? [] : [{ stored, bm25 }]
    })
  }

  #inPairs(pairs: readonly ports.ReadablePair[]): Stored[] {
    const keys = new Set(pairs.map((pair) => keyOf(pair)))
    const stored = [...this.#entries.values()].filter(({ entry }) => keys.has(keyOf(entry)))
    return stored.toSorted((left, right) => compareInCorpusOrder(left.entry, right.entry))
  }

  #stored(entry: ports.StructuredEntry): Stored {
    if (!this.capabilities.knowledgeTypes.includes(entry.knowledgeType)) {
      throw invalid('replace document', entry.documentId, `its type ${entry.knowledgeType} is not configured`)
    }
    if (entry.vector !== undefined) this.#checkVector(entry.vector, 'replace document')
    const fields = { title: fieldTokens(tokenize(entry.title)), body: fieldTokens(tokenize(entry.body)) }
    return { entry: { ...entry, errorCodes: [...new Set(entry.errorCodes)] }, fields }
  }

  #checkVector(vector: Float32Array, operation: string): void {
    const { dimension } = this.capabilities
    if (isComparable(vector, dimension)) return
    throw invalid(operation, 'vector', `must have ${dimension} finite numbers, not all of them 0`)
  }

  #open(signal?: AbortSignal): void {
    signal?.throwIfAborted()
    if (!this.#closed) return
    throw new PortError('closed', { operation: 'use index', subject: this.engine, reason: 'it was closed' })
  }
}

type Ranked = Matched & { readonly score: number; readonly vectorPart: number }

function ranked(recalled: readonly (Matched & { score: number })[], rule: ports.Rescore | undefined): Ranked[] {
  if (rule === undefined) return recalled.map((item) => ({ ...item, vectorPart: 0 }))
  const withParts = recalled.map((item) => ({
    ...item,
    vectorPart: vectorPartOf(rule.vector, item.stored.entry.vector)
  }))
  return rescore(withParts, rule)
}

function hitOf({ stored, score, bm25, vectorPart }: Ranked): ports.StructuredHit {
  const { vector: _, ...document } = stored.entry
  return { document, score, bm25, vectorPart }
}

function valuesOf(field: ports.FacetField): (entry: ports.StructuredEntry) => readonly string[] {
  return (entry) => {
    const value = entry[field]
    if (value === undefined) return []
    return typeof value === 'string' ? [value] : value
  }
}

function facetOf(valuesOfDocuments: readonly (readonly string[])[], buckets: number): ports.Facet {
  const counts = new Map<string, number>()
  for (const value of valuesOfDocuments.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  const all = [...counts].map(([value, count]) => ({ value, count }))
  const sorted = all.toSorted((left, right) => right.count - left.count || compareCodePoints(left.value, right.value))
  const beyond = sorted.slice(buckets).reduce((sum, { count }) => sum + count, 0)
  return { buckets: sorted.slice(0, buckets), truncated: beyond }
}

function keyOf({ tenantId, knowledgeBaseId }: ports.ReadablePair, documentId = ''): string {
  return JSON.stringify([tenantId, knowledgeBaseId, documentId])
}

function invalid(operation: string, subject: string, reason: string): PortError {
  return new PortError('invalid-argument', { operation, subject, reason })
}
