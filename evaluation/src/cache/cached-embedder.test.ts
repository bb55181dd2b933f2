import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embedder } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CachedEmbedder } from './cached-embedder.ts'
import { LetterEmbedder } from '../test-material/letter-embedder.ts'
import { EmbeddingStore } from './embedding-store.ts'

const { fingerprint } = new LetterEmbedder()

let directory: string
const open = (inner: Embedder, variant = ''): CachedEmbedder =>
  new CachedEmbedder(inner, new EmbeddingStore(join(directory, 'cache.db'), fingerprint, variant))

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-cache-'))
})

afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

describe('an embedder with a cache', () => {
  it('gives the very vectors, token vectors and counts of the model, also from the file', async () => {
    const inner = new LetterEmbedder()
    const expectedPassages = await inner.embedPassages(['alpha', 'beta'])
    const expectedQuery = await inner.embedQuery('alpha')
    for (const run of [open(inner), open(new LetterEmbedder())]) {
      expect(await run.embedPassages(['alpha', 'beta'])).toEqual(expectedPassages)
      expect(await run.embedQuery('alpha')).toEqual(expectedQuery)
      await run.close()
    }
  })

  it('asks the model once for each different text and side', async () => {
    const inner = new LetterEmbedder()
    const first = open(inner)
    await first.embedPassages(['alpha', 'alpha', 'beta'])
    await first.embedQuery('alpha')
    await first.close()
    const again = open(inner)
    await again.embedPassages(['beta', 'gamma', 'alpha'])
    await again.embedQuery('alpha')
    await again.close()
    expect(inner.asked.toSorted()).toEqual(['? alpha', 'alpha', 'beta', 'gamma'])
  })

  it('never answers one model with the vectors of another', async () => {
    const inner = new LetterEmbedder()
    const first = open(inner, 'with token vectors')
    await first.embedPassages(['alpha'])
    await first.close()
    const other = open(inner, 'without')
    await other.embedPassages(['alpha'])
    await other.close()
    expect(inner.asked).toEqual(['alpha', 'alpha'])
  })

  it('keeps what was embedded before the model failed', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `text ${String(index).padStart(3, '0')}`)
    const failing = new LetterEmbedder()
    failing.failAfter = 100
    const first = open(failing)
    await expect(first.embedPassages(texts)).rejects.toThrow('out of memory')
    await first.close()
    const healthy = new LetterEmbedder()
    const second = open(healthy)
    const made = await second.embedPassages(texts)
    await second.close()
    expect(made).toHaveLength(150)
    expect(healthy.asked).toHaveLength(150 - 64)
  })

  it('tells progress with what came from the file', async () => {
    const inner = new LetterEmbedder()
    const first = open(inner)
    await first.embedPassages(['alpha'])
    await first.close()
    const seen: number[][] = []
    const store = new EmbeddingStore(join(directory, 'cache.db'), fingerprint, '')
    const second = new CachedEmbedder(inner, store, (...counts) => seen.push(counts))
    await second.embedPassages(['alpha', 'beta'])
    await second.close()
    expect(seen).toEqual([
      [1, 2, 0],
      [2, 2, 1]
    ])
  })
})
