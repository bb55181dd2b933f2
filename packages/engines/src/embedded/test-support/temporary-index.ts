import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import { openEmbeddedIndex } from '../open-embedded-index.ts'
import type { EmbeddedIndexOptions } from '../open-embedded-index.ts'
import type { EmbeddedIndex } from '../embedded-index.ts'

/** Width of the vectors in tests; not a multiple of the scan's step, so that padding takes part. */
export const TEST_DIMENSION = 40

export const testFingerprint: EmbedderFingerprint = {
  model: 'test-model',
  dimension: TEST_DIMENSION,
  normalised: true,
  tokenizerVersion: 'test-tokens'
}

/** Runs `work` in a folder of its own that is gone afterwards. */
export async function inTemporaryFolder<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'oncall-index-'))
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

export type OpenIndex = (options?: Partial<EmbeddedIndexOptions>) => Promise<EmbeddedIndex>

/** As above, with a function that opens the folder's index; whatever it opened is closed at the end. */
export async function withIndex<T>(work: (open: OpenIndex, directory: string) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (directory) => {
    const opened: EmbeddedIndex[] = []
    const open: OpenIndex = async (options = {}) => {
      const index = await openEmbeddedIndex({ directory, fingerprint: testFingerprint, ...options })
      opened.push(index)
      return index
    }
    try {
      return await work(open, directory)
    } finally {
      await Promise.all(opened.map((index) => index.close()))
    }
  })
}
