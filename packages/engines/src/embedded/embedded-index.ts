import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PortError } from '@oncall-agent/retrieval'
import type {
  ChunkReader,
  DocumentWriter,
  IndexedDocument,
  IndexSize,
  KnowledgeIndex,
  LexicalIndex,
  LexicalRequest,
  ReadablePair,
  Recall,
  StructuredEntry,
  VectorIndex,
  VectorRequest
} from '@oncall-agent/retrieval'
import { checkEntry } from './check-entry.ts'
import { EmbeddedStructuredIndex } from './embedded-structured-index.ts'
import type { EntryPage } from './reading/entries/entry-reader.ts'
import { INDEX_FILE } from './storage/open-database.ts'
import type { ReaderPool } from './threads/reader-pool.ts'
import type { WriterLink } from './threads/writer-link.ts'

export interface EmbeddedIndexParts {
  readonly directory: string
  readonly dimension: number
  readonly knowledgeTypes: readonly string[]
  readonly readers: ReaderPool
  readonly writer: WriterLink
}

/** The index as the main thread has it: arguments are checked here, everything else is done by the threads. */
export class EmbeddedIndex implements KnowledgeIndex {
  readonly engine = 'embedded'
  readonly structured: EmbeddedStructuredIndex
  readonly #parts: EmbeddedIndexParts
  /** The newest that any answer has seen; what an answer that touches no storage says. */
  #revision = 0
  #closing: Promise<void> | undefined

  constructor(parts: EmbeddedIndexParts) {
    this.#parts = parts
    this.structured = new EmbeddedStructuredIndex(parts)
  }

  readonly lexical: LexicalIndex = {
    search: async (request, signal) => {
      this.#begin(signal)
      checkLimit(request, 'search words')
      if (request.tokens.length === 0 || isEmpty(request)) return this.#nothing()
      return this.#seen(await this.#parts.readers.call('lexical', request, signal))
    },
    statistics: async (terms, scope, signal) => {
      this.#begin(signal)
      if (scope.pairs.length === 0) return { chunks: 0, averageLength: 0, frequency: terms.map(() => 0) }
      return this.#parts.readers.call('statistics', { terms, scope }, signal)
    }
  }

  readonly vector: VectorIndex = {
    capabilities: { exact: true },
    search: async (request, signal) => {
      this.#begin(signal)
      checkLimit(request, 'search vectors')
      checkVector(request.vector, this.#parts.dimension)
      if (isEmpty(request)) return this.#nothing()
      // A copy: a message would take all of the batch along that the vector is a view on.
      const vector = request.vector.slice()
      return this.#seen(await this.#parts.readers.call('vector', { ...request, vector }, signal))
    }
  }

  readonly chunks: ChunkReader = {
    read: async (request, signal) => {
      this.#begin(signal)
      if (request.chunkIds.length === 0 || request.scope.pairs.length === 0) return []
      return this.#parts.readers.call('chunks', request, signal)
    }
  }

  readonly writer: DocumentWriter = {
    // Refused arguments come from the writer thread, which looks at every number of every vector.
    replaceDocument: async (document, chunks, entry) => {
      if (entry !== undefined) this.#checkEntry(document, entry)
      await this.#parts.writer.replace(document, chunks, entry)
    },
    deleteDocument: async (pair, documentId) => this.#parts.writer.delete(pair, documentId),
    listDocuments: (pair) => this.#parts.readers.call('documents', pair)
  }

  async *entries(signal?: AbortSignal): AsyncGenerator<StructuredEntry> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: EntryPage = await this.#parts.readers.call('entryPage', after, signal)
      yield* page.entries
      after = page.next
    }
  }

  async entry(pair: ReadablePair, documentId: string): Promise<StructuredEntry | undefined> {
    return (await this.#parts.readers.call('entry', { pair, documentId })) ?? undefined
  }

  /** Loads all int8 rows, and starts each reader. */
  async warm(signal?: AbortSignal): Promise<void> {
    await this.#parts.readers.warm(signal)
  }

  async size(): Promise<IndexSize> {
    const totals = await this.#parts.readers.call('totals', null)
    const path = join(this.#parts.directory, INDEX_FILE)
    const sizes = await Promise.all([path, `${path}-wal`, `${path}-shm`].map(bytesOf))
    return { ...totals, bytesOnDisk: sizes.reduce((sum, bytes) => sum + bytes, 0) }
  }

  verify(): Promise<readonly string[]> {
    return this.#parts.readers.call('verify', null)
  }

  /** Does all compaction that is due now, instead of when the writer is idle. */
  async compact(): Promise<void> {
    await this.#parts.writer.compact()
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeParts()
    return this.#closing
  }

  async #closeParts(): Promise<void> {
    const { readers, writer } = this.#parts
    writer.refuse()
    try {
      await readers.close()
    } finally {
      // The writer last: the last connection to close empties the log into the file.
      await writer.close()
    }
  }

  /** What every read does first, also one that is going to touch no storage. */
  #begin(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted()
    this.#parts.readers.checkOpen()
  }

  #checkEntry(document: IndexedDocument, entry: StructuredEntry): void {
    checkEntry(entry, this.structured.capabilities)
    const isOfDocument = (['documentId', 'tenantId', 'knowledgeBaseId'] as const).every(
      (name) => entry[name] === document[name]
    )
    if (isOfDocument) return
    throw new PortError('invalid-argument', {
      operation: 'replace document',
      subject: document.documentId,
      reason: 'the entry is of another document'
    })
  }

  #nothing(): Recall {
    return { hits: [], revision: this.#revision }
  }

  #seen(recall: Recall): Recall {
    this.#revision = Math.max(this.#revision, recall.revision)
    return recall
  }
}

/** An empty scope is never everything. */
function isEmpty(request: LexicalRequest | VectorRequest): boolean {
  return request.scope.pairs.length === 0 || request.limit === 0
}

function checkLimit(request: LexicalRequest | VectorRequest, operation: string): void {
  if (Number.isInteger(request.limit) && request.limit >= 0) return
  throw new PortError('invalid-argument', {
    operation,
    subject: `limit ${request.limit}`,
    reason: 'the limit is not a whole number from 0'
  })
}

function checkVector(vector: Float32Array, dimension: number): void {
  const isRightWidth = vector.length === dimension
  if (isRightWidth && vector.every(Number.isFinite)) return
  throw new PortError('invalid-argument', {
    operation: 'search vectors',
    subject: 'query vector',
    reason: isRightWidth
      ? 'it has a number that is not finite'
      : `it is ${vector.length} wide, and the index is ${dimension} wide`,
    hint: 'Embed the query with the embedder that the index was built with.'
  })
}

/** 0 for a file that is not there: the log comes and goes. */
async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}
