import { setTimeout as delay } from 'node:timers/promises'
import type { Embedder } from '@oncall-agent/retrieval'
import { describe, expect, test } from 'vitest'
import { throttled } from './throttled.ts'

const WORK_MS = 60

const busy: Embedder = {
  fingerprint: { model: 'busy', dimension: 1, normalised: true, tokenizerVersion: '1' },
  limits: { maxTokens: 8, batchSize: 2 },
  keepsTokenVectors: false,
  state: 'warm',
  warm: async () => {},
  close: async () => {},
  embedQuery: async () => ({ vector: Float32Array.of(1), tokenCount: 1 }),
  embedPassages: async (texts) => {
    await delay(WORK_MS)
    return texts.map(() => ({ vector: Float32Array.of(1), tokenCount: 1 }))
  }
}

describe('an embedder that is throttled', () => {
  test('to a quarter rests three times as long as it worked, and answers the same', async () => {
    const started = performance.now()
    expect(await throttled(busy, 0.25).embedPassages(['a', 'b'])).toHaveLength(2)
    expect(performance.now() - started).toBeGreaterThan(WORK_MS * 3.5)
  })

  test('stops resting when it is told to', async () => {
    const stop = new AbortController()
    const answer = throttled(busy, 0.001).embedPassages(['a'], stop.signal)
    setTimeout(() => stop.abort(), WORK_MS * 2)
    await expect(answer).rejects.toThrow(/abort/i)
  })

  test('not at all is the embedder itself', () => {
    expect(throttled(busy, 1)).toBe(busy)
  })
})
