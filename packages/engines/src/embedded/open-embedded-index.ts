import { DEFAULT_KNOWLEDGE_TYPES } from '@oncall-agent/retrieval'
import type { EmbedderFingerprint, PortError } from '@oncall-agent/retrieval'
import { EmbeddedIndex } from './embedded-index.ts'
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
  /** Types that an entry of structured search may have; the default ones unless said otherwise. */
  readonly knowledgeTypes?: readonly string[]
  /** Reader threads, 1 to 16. */
  readonly readers?: number
  /** How long to wait for another process's write lock, milliseconds. */
  readonly busyTimeoutMs?: number
  /** Bounds the file, in pages of 4 KiB; a write beyond it fails with `disk-full`. */
  readonly maxPages?: number
  /** Told when compaction failed in the background; it is tried again after the next write. */
  readonly onBackgroundFailure?: (error: PortError) => void
}

/**
 * Opens the embedded index, and makes it if it is not there. Cheap: what a search needs is loaded by the first search.
 * @throws PortError locked, corrupt, newer-format, model-mismatch, disk-full, unavailable
 */
export async function openEmbeddedIndex(options: EmbeddedIndexOptions): Promise<EmbeddedIndex> {
  const { readers = DEFAULT_READERS, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, onBackgroundFailure, ...others } = options
  const { knowledgeTypes = DEFAULT_KNOWLEDGE_TYPES, ...rest } = others
  const settings = { ...rest, busyTimeoutMs }
  const pool = new ReaderPool({ ...settings, readers })
  const { directory, fingerprint } = options
  const writer = new WriterLink({ ...settings, ...(onBackgroundFailure === undefined ? {} : { onBackgroundFailure }) })
  const { dimension } = fingerprint
  const index = new EmbeddedIndex({ directory, dimension, knowledgeTypes, readers: pool, writer })
  await openOrClose(index, pool)
  return index
}

/** @throws what opening threw, also when closing fails after it */
export async function openOrClose(index: EmbeddedIndex, readers: ReaderPool): Promise<void> {
  try {
    await readers.call('open', null)
  } catch (error) {
    // Why the index cannot be opened explains the rest.
    await Promise.allSettled([index.close()])
    throw error
  }
}
