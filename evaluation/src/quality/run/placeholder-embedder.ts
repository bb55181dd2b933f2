import type { Embedder, EmbedderFingerprint } from '@oncall-agent/retrieval'

/**
 * Fills an index that only its words will be asked of: every passage gets the same unit vector, and no model is loaded.
 * A query is refused, because its answer would mean nothing.
 */
export function placeholderEmbedder(fingerprint: EmbedderFingerprint, limits: Embedder['limits']): Embedder {
  const vector = Float32Array.from({ length: fingerprint.dimension }, (_, index) => Number(index === 0))
  return {
    fingerprint,
    limits,
    keepsTokenVectors: false,
    state: 'warm',
    warm: async () => undefined,
    embedPassages: async (texts) => texts.map((text) => ({ vector, tokenCount: text.length })),
    embedQuery: () => Promise.reject(new Error('an index without meanings was asked for one')),
    close: async () => undefined
  }
}
