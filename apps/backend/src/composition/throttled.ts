import { setTimeout as delay } from 'node:timers/promises'
import type { Embedder } from '@oncall-agent/retrieval'
import { embedderOver } from './embedder-over.ts'

/** The same embedder, resting after each batch so long that it works only a share of the time. @param share above 0, up to 1 */
export function throttled(embedder: Embedder, share: number): Embedder {
  if (share >= 1) return embedder
  return embedderOver(embedder, {
    embedPassages: async (texts, signal) => {
      const started = performance.now()
      const answers = await embedder.embedPassages(texts, signal)
      const took = performance.now() - started
      await delay(took * (1 / share - 1), undefined, signal === undefined ? {} : { signal })
      return answers
    }
  })
}
