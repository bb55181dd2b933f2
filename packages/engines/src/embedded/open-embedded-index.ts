import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PortError } from '@oncall-agent/retrieval'
import type {
  EmbedderFingerprint,
  IndexSize,
  KnowledgeIndex,
  LexicalRequest,
  Recall,
  VectorRequest
} from '@oncall-agent/retrieval'
import { INDEX_FILE } from './storage/open-database.ts'
import { ReaderPool } from './threads/reader-pool.ts'
import { WriterLink } from './threads/writer-link.ts'

/** One for the vector branch and one for the lexical branch of a retrieval. */
const DEFAULT_READERS = 2
/** Longer than any write of this package holds the lock, with a slow disk in mind. */
const DEFAULT_BUSY_TIMEOUT_MS = 5_000

export interface EmbeddedIndexOptions {
  /** Made if it is not there; the index is `index.db` in it. */
  readonly directory: string
  /** Of the embedder whose vectors the index holds. */
  readonly fingerprint: EmbedderFingerprint
  /** Reader threads, 1 to 16. */
  readonly readers?: number
  /** How long to wait for another process's write lock, milliseconds. */
  readonly busyTimeoutMs?: number
  /** Bounds the file, in pages of 4 KiB; a write beyond it fails with `disk-full`. */
  readonly maxPages?: number
  /** Told when compaction failed in the background; it is tried again after the next write. */
  readonly onBackgroundFailure?: (error: PortError) => void
}

export interface EmbeddedIndex extends KnowledgeIndex {
  /** Does all compaction that is due, instead of when the writer is idle. */
  compact(): Promise<void>
}

/**
 * Opens the embedded index, and makes it if it is not there. Cheap: what a search needs is loaded by the first search.
 * @throws PortError locked, corrupt, newer-format, model-mismatch, disk-full, unavailable
 */
export async function openEmbeddedIndex(options: EmbeddedIndexOptions): Promise<EmbeddedIndex> {
  const { readers = DEFAULT_READERS, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, onBackgroundFailure, ...rest } = options
  const settings = { ...rest, busyTimeoutMs }
  const pool = new ReaderPool({ ...settings, readers })
  const writer = new WriterLink(settings, onBackgroundFailure)
  try {
    await pool.call('open', null)
  } catch (error) {
    await pool.close()
    throw error
  }
  let revision = 0
  const seen = (recall: Recall): Recall => {
    revision = Math.max(revision, recall.revision)
    return recall
  }
  const nothing = (): Recall => ({ hits: [], revision })
  return {
    engine: 'embedded',
    lexical: {
      search: async (request, signal) => {
        checkLimit(request, 'search words')
        if (request.tokens.length === 0 || isEmpty(request)) return nothing()
        return seen(await pool.call('lexical', request, signal))
      },
      statistics: async (terms, scope, signal) => {
        if (scope.pairs.length === 0) return { chunks: 0, averageLength: 0, frequency: terms.map(() => 0) }
        return pool.call('statistics', { terms, scope }, signal)
      }
    },
    vector: {
      capabilities: { exact: true },
      search: async (request, signal) => {
        checkLimit(request, 'search vectors')
        checkVector(request.vector, options.fingerprint)
        if (isEmpty(request)) return nothing()
        // A copy: a view on a larger batch would take all of it along.
        return seen(await pool.call('vector', { ...request, vector: request.vector.slice() }, signal))
      }
    },
    chunks: {
      read: async (request, signal) => {
        if (request.chunkIds.length === 0 || request.scope.pairs.length === 0) return []
        return pool.call('chunks', request, signal)
      }
    },
    writer: {
      replaceDocument: (document, chunks) => writer.replace(document, chunks),
      deleteDocument: async (pair, documentId) => writer.delete(pair, documentId),
      listDocuments: (pair) => pool.call('documents', pair)
    },
    warm: (signal) => pool.warm(signal),
    size: () => sizeOf(pool, options.directory),
    compact: async () => {
      await writer.compact()
    },
    close: async () => {
      await pool.close()
      await writer.close()
    }
  }
}

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

function checkVector(vector: Float32Array, fingerprint: EmbedderFingerprint): void {
  const reason =
    vector.length === fingerprint.dimension
      ? 'it has a number that is not finite'
      : `it is ${vector.length} wide, and the index is ${fingerprint.dimension} wide`
  if (vector.length === fingerprint.dimension && vector.every(Number.isFinite)) return
  throw new PortError('invalid-argument', {
    operation: 'search vectors',
    subject: 'query vector',
    reason,
    hint: 'Embed the query with the embedder that the index was built with.'
  })
}

async function sizeOf(pool: ReaderPool, directory: string): Promise<IndexSize> {
  const totals = await pool.call('totals', null)
  const path = join(directory, INDEX_FILE)
  const sizes = await Promise.all([path, `${path}-wal`, `${path}-shm`].map(bytesOf))
  return { ...totals, bytesOnDisk: sizes.reduce((sum, bytes) => sum + bytes, 0) }
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
