import type { RerankerHarness } from '../conformance/index.ts'
import { normalised, unitVector } from '../conformance/test-data.ts'
import { Random } from '../conformance/random.ts'
import { PortError } from '../ports/index.ts'
import type { Embedder, ModelState, PassageEmbedding, QueryEmbedding, RerankScore } from '../ports/index.ts'
import { tokenize } from '../tokens/index.ts'

/** A real, if humble, embedder: each token has a direction of its own, a text is the sum of its tokens. */
export class HashEmbedder implements Embedder {
  readonly fingerprint
  readonly limits = { maxTokens: 64, batchSize: 4 }
  readonly keepsTokenVectors: boolean = false
  state: ModelState = 'cold'

  constructor(dimension: number) {
    this.fingerprint = { model: 'hash', dimension, normalised: true, tokenizerVersion: 'v1' }
  }

  async warm(): Promise<void> {
    if (this.state === 'closed') {
      throw new PortError('closed', { operation: 'embed', subject: 'hash', reason: 'it was closed' })
    }
    this.state = 'warm'
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly PassageEmbedding[]> {
    return Promise.all(texts.map((text) => this.#embed(text, signal)))
  }

  embedQuery(text: string, signal?: AbortSignal): Promise<QueryEmbedding> {
    return this.#embed(text, signal)
  }

  async #embed(text: string, signal?: AbortSignal): Promise<{ vector: Float32Array; tokenCount: number }> {
    signal?.throwIfAborted()
    await this.warm()
    const tokens = tokenize(text).slice(0, this.limits.maxTokens)
    const sum = new Float32Array(this.fingerprint.dimension)
    sum[0] = 1e-3
    for (const token of tokens) this.#direction(token).forEach((value, index) => (sum[index]! += value))
    return { vector: normalised(sum), tokenCount: tokens.length }
  }

  async close(): Promise<void> {
    this.state = 'closed'
  }

  #direction(token: string): Float32Array {
    const seed = [...token].reduce((hash, character) => Math.imul(hash, 31) + character.codePointAt(0)!, 7)
    return unitVector(this.fingerprint.dimension, new Random(seed))
  }
}

/** Scores a candidate by the share of the query's tokens that it has. */
export function overlapReranker(): RerankerHarness {
  return {
    reranker: {
      name: 'overlap',
      needs: { vectors: false, tokenVectors: false, statistics: false },
      rerank: async ({ query, candidates, topN }, signal) => {
        signal?.throwIfAborted()
        const wanted = [...new Set(tokenize(query))]
        const scores = candidates.map(({ content }, index): RerankScore => {
          const found = new Set(tokenize(content))
          const share = wanted.filter((token) => found.has(token)).length / wanted.length
          return { index, score: share, parts: { overlap: share } }
        })
        return scores.toSorted((left, right) => right.score - left.score).slice(0, topN)
      }
    },
    prepare: async (query, contents, topN) => ({
      query,
      queryEmbedding: { vector: new Float32Array(0), tokenCount: 0 },
      candidates: contents.map((content, index) => ({
        chunkId: `d#${index}`,
        title: '',
        headingPath: [],
        content,
        tokenCount: content.length,
        metadata: {}
      })),
      topN
    }),
    close: async () => undefined
  }
}
