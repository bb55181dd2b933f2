import { PortError, WITHOUT_LIMIT } from '@oncall-agent/retrieval'
import type {
  FacetRequest,
  ListedEntry,
  MatchRequest,
  NearestRequest,
  ReadablePair,
  StructuredCapabilities,
  StructuredEntry,
  StructuredFacets,
  StructuredIndex,
  StructuredRecall,
  StructuredSelection
} from '@oncall-agent/retrieval'
import { checkComparable, checkEntry } from './check-entry.ts'
import { closedError } from './threads/reader-pool.ts'
import type { ReaderPool } from './threads/reader-pool.ts'
import type { WriterLink } from './threads/writer-link.ts'

/** Hits up to here are ranked in memory; the contract asks for no more. */
const MAX_WINDOW = 10_000

export interface EmbeddedStructuredParts {
  readonly dimension: number
  readonly knowledgeTypes: readonly string[]
  readonly readers: ReaderPool
  readonly writer: WriterLink
}

/** Structured search as the main thread has it: arguments are checked here, everything else is done by the threads. */
export class EmbeddedStructuredIndex implements StructuredIndex {
  readonly engine = 'embedded'
  readonly capabilities: StructuredCapabilities
  readonly #readers: ReaderPool
  readonly #writer: WriterLink
  #closed = false

  constructor({ dimension, knowledgeTypes, readers, writer }: EmbeddedStructuredParts) {
    this.#readers = readers
    this.#writer = writer
    this.capabilities = {
      knowledgeTypes,
      dimension,
      exactNearest: true,
      statistics: 'scope',
      atomicReplacement: true,
      maxWindow: MAX_WINDOW
    }
  }

  async match(request: MatchRequest, signal?: AbortSignal): Promise<StructuredRecall> {
    const operation = 'match entries'
    this.#begin(operation, signal)
    const { from, size, rescore } = request
    checkCount(operation, 'from', from)
    checkCount(operation, 'size', size)
    checkCount(operation, 'from + size', from + size, MAX_WINDOW)
    checkWithout(operation, request)
    if (rescore !== undefined) {
      checkCount(operation, 'window', rescore.window, MAX_WINDOW)
      this.#checkVector(operation, rescore.vector)
    }
    if (request.pairs.length === 0) return { total: 0, hits: [] }
    // A copy: a message would take all of the batch along that the vector is a view on.
    const own = rescore === undefined ? {} : { rescore: { ...rescore, vector: rescore.vector.slice() } }
    return this.#readers.call('match', { ...request, ...own }, signal)
  }

  async facets(request: FacetRequest, signal?: AbortSignal): Promise<StructuredFacets> {
    const operation = 'count facets'
    this.#begin(operation, signal)
    checkCount(operation, 'buckets', request.buckets)
    checkWithout(operation, request)
    if (request.pairs.length > 0) return this.#readers.call('facets', request, signal)
    return Object.fromEntries(request.fields.map((field) => [field, { buckets: [], truncated: 0 }]))
  }

  async nearest(request: NearestRequest, signal?: AbortSignal): Promise<StructuredRecall> {
    const operation = 'find nearest entries'
    this.#begin(operation, signal)
    checkCount(operation, 'k', request.k, MAX_WINDOW)
    checkWithout(operation, request)
    this.#checkVector(operation, request.vector)
    if (request.pairs.length === 0 || request.k === 0) return { total: 0, hits: [] }
    return this.#readers.call('nearest', { ...request, vector: request.vector.slice() }, signal)
  }

  async replaceDocument(entry: StructuredEntry): Promise<void> {
    this.#begin('replace entry')
    checkEntry(entry, this.capabilities)
    await this.#writer.replaceEntry(entry)
  }

  async deleteDocument(pair: ReadablePair, documentId: string): Promise<boolean> {
    this.#begin('delete entry')
    return this.#writer.deleteEntry(pair, documentId)
  }

  async listDocuments(pair: ReadablePair): Promise<readonly ListedEntry[]> {
    this.#begin('list entries')
    return this.#readers.call('entries', pair)
  }

  /**
   * Gathers all entries in memory and writes them in one transaction, which keeps the write lock for a millisecond or two an
   * entry. Entries mostly come with their documents; an index is made anew by making another one (`createNextGeneration`).
   */
  async rebuild(entries: AsyncIterable<StructuredEntry>): Promise<void> {
    this.#begin('rebuild entries')
    await this.#writer.rebuildEntries(this.#checked(entries))
  }

  /** Ends this view; the index goes on. */
  async close(): Promise<void> {
    this.#closed = true
  }

  async *#checked(entries: AsyncIterable<StructuredEntry>): AsyncGenerator<StructuredEntry> {
    for await (const entry of entries) {
      this.#begin('rebuild entries')
      checkEntry(entry, this.capabilities)
      yield entry
    }
  }

  #begin(operation: string, signal?: AbortSignal): void {
    signal?.throwIfAborted()
    if (this.#closed) throw closedError(operation)
    this.#readers.checkOpen()
  }

  #checkVector(operation: string, vector: Float32Array): void {
    checkComparable(vector, { dimension: this.capabilities.dimension, operation, subject: 'query' })
  }
}

function checkWithout(operation: string, { without = [] }: StructuredSelection): void {
  checkCount(operation, 'length of without', without.length, WITHOUT_LIMIT)
}

function checkCount(operation: string, name: string, value: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= 0 && value <= most) return
  throw new PortError('invalid-argument', {
    operation,
    subject: `${name} ${value}`,
    reason: `${name} is not a whole number from 0 to ${most}`
  })
}
