import type { Embedder } from '@oncall-agent/retrieval'

/** The same embedder, with some of what it does done another way. */
export function embedderOver(
  embedder: Embedder,
  changed: Partial<Pick<Embedder, 'warm' | 'embedPassages' | 'embedQuery'>>
): Embedder {
  return {
    fingerprint: embedder.fingerprint,
    limits: embedder.limits,
    keepsTokenVectors: embedder.keepsTokenVectors,
    get state() {
      return embedder.state
    },
    warm: () => embedder.warm(),
    embedPassages: (texts, signal) => embedder.embedPassages(texts, signal),
    embedQuery: (text, signal) => embedder.embedQuery(text, signal),
    close: () => embedder.close(),
    ...changed
  }
}
