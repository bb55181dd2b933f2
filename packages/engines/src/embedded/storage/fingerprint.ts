import { PortError, TOKENIZER_VERSION } from '@oncall-agent/retrieval'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import type { StateRow } from './state.ts'

/** What an index says of itself: the embedder that it was built with, and the version of the words. */
export interface StoredFingerprint extends EmbedderFingerprint {
  readonly lexicalTokenizer: string
}

/** Whoever reads an index only as what it is brings the version of its words along; else it is this release's. */
type WantedFingerprint = EmbedderFingerprint & Partial<StoredFingerprint>

/**
 * Vectors of different models, and statistics of different tokenizers, must not meet.
 * @throws PortError `model-mismatch`, naming both sides
 */
export function checkFingerprint(row: StateRow, wanted: WantedFingerprint, operation: string): void {
  const found = describe(fingerprintOf(row), row.lexicalTokenizer)
  const expected = describe(wanted, wanted.lexicalTokenizer ?? TOKENIZER_VERSION)
  if (found === expected) return
  throw new PortError('model-mismatch', {
    operation,
    subject: `index of ${found}`,
    reason: `the configured embedder is ${expected}`,
    hint: 'Configure the embedder that the index was built with, or run `oncall reindex` to rebuild the index for this one.'
  })
}

function fingerprintOf(row: StateRow): EmbedderFingerprint {
  return {
    model: row.model,
    dimension: row.dimension,
    normalised: row.normalised,
    tokenizerVersion: row.embedderTokenizer
  }
}

function describe(fingerprint: EmbedderFingerprint, lexicalTokenizer: string): string {
  const { model, dimension, normalised, tokenizerVersion } = fingerprint
  const length = normalised ? 'normalised' : 'not normalised'
  return `${model} (${dimension} wide, ${length}, tokenizer ${tokenizerVersion}, words ${lexicalTokenizer})`
}
