import { openReader } from '../reading/index-reader.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import { createVectorMemory } from '../vectors/vector-memory.ts'
import { TEST_DIMENSION, testFingerprint } from './temporary-index.ts'

export interface OpenedReader {
  readonly reader: IndexReader
  /** The call with this id stops at its next block. */
  stop(id: number): void
}

/** A reader in this thread, for tests that would spend their time on starting threads. */
export function openTestReader(directory: string): OpenedReader {
  const stop = new Int32Array(1)
  const reader = openReader({
    directory,
    fingerprint: testFingerprint,
    busyTimeoutMs: 5_000,
    reader: 0,
    vectors: createVectorMemory(TEST_DIMENSION),
    stop
  })
  return { reader, stop: (id) => Atomics.store(stop, 0, id) }
}
