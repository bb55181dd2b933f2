import { openReader } from '../reading/index-reader.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import type { ScanHelper } from '../threads/scan-helper.ts'
import { createVectorMemory } from '../vectors/vector-memory.ts'
import type { VectorMemory } from '../vectors/vector-memory.ts'
import { TEST_DIMENSION, testFingerprint } from './temporary-index.ts'

export interface OpenedReader {
  readonly reader: IndexReader
  readonly vectors: VectorMemory
  /** The call with this id stops at its next block. */
  stop(id: number): void
}

/** A reader in this thread, for tests that would spend their time on starting threads. */
export function openTestReader(directory: string, helperOf?: (vectors: VectorMemory) => ScanHelper): OpenedReader {
  const stop = new Int32Array(1)
  const vectors = createVectorMemory(TEST_DIMENSION)
  const settings = {
    directory,
    fingerprint: testFingerprint,
    busyTimeoutMs: 5_000,
    reader: 0,
    vectors,
    stop
  }
  const reader = openReader(settings, helperOf?.(vectors))
  return { reader, vectors, stop: (id) => Atomics.store(stop, 0, id) }
}
