import type { Embedder, ModelState, PassageEmbedding, QueryEmbedding } from '@oncall-agent/retrieval'
import type { EmbeddingStore, StoredEmbedding } from './embedding-store.ts'

/** Texts embedded between two writes of the store: what an interruption can cost, about half a minute of one core. */
const textsPerWrite = 64

/** Told after each batch: passages answered so far of this call, and how many of them the model had to embed. */
export type EmbeddingProgress = (done: number, total: number, embedded: number) => void

/**
 * An embedder that asks the real one only for texts that the store does not know. It gives exactly what the real one
 * gave, so that a second run measures the same; the model is loaded at the first unknown text, and not at all without.
 */
export class CachedEmbedder implements Embedder {
  readonly #inner: Embedder
  readonly #store: EmbeddingStore
  readonly #progress: EmbeddingProgress

  constructor(inner: Embedder, store: EmbeddingStore, progress: EmbeddingProgress = () => undefined) {
    this.#inner = inner
    this.#store = store
    this.#progress = progress
  }

  get fingerprint(): Embedder['fingerprint'] {
    return this.#inner.fingerprint
  }

  get limits(): Embedder['limits'] {
    return this.#inner.limits
  }

  get keepsTokenVectors(): boolean {
    return this.#inner.keepsTokenVectors
  }

  get state(): ModelState {
    return this.#inner.state
  }

  async warm(): Promise<void> {
    // The first unknown text loads the model; without one there is nothing to wait for.
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly PassageEmbedding[]> {
    const unknown = [...new Set(texts)].filter((text) => this.#store.get('passage', text) === undefined)
    // Neighbours of similar length waste little padding, and the longest first shows early what memory it takes.
    unknown.sort((a, b) => b.length - a.length)
    this.#progress(texts.length - unknown.length, texts.length, 0)
    for (let start = 0; start < unknown.length; start += textsPerWrite) {
      const batch = unknown.slice(start, start + textsPerWrite)
      const made = await this.#inner.embedPassages(batch, signal)
      this.#store.put(
        'passage',
        batch.map((text, index) => [text, storedPassage(made[index]!)])
      )
      const embedded = start + batch.length
      this.#progress(texts.length - unknown.length + embedded, texts.length, embedded)
    }
    return texts.map((text) => passageOf(this.#store.get('passage', text)!))
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<QueryEmbedding> {
    const known = this.#store.get('query', text)
    if (known !== undefined) return queryOf(known)
    const made = await this.#inner.embedQuery(text, signal)
    const tokenVectors = made.tokenVectors === undefined ? undefined : bytesOf(made.tokenVectors)
    this.#store.put('query', [[text, { vector: bytesOf(made.vector), tokenVectors, tokenCount: made.tokenCount }]])
    return made
  }

  async close(): Promise<void> {
    this.#store.close()
    await this.#inner.close()
  }
}

function storedPassage(embedding: PassageEmbedding): StoredEmbedding {
  const { vector, tokenVectors, tokenCount } = embedding
  return { vector: bytesOf(vector), tokenVectors, tokenCount }
}

function passageOf({ vector, tokenVectors, tokenCount }: StoredEmbedding): PassageEmbedding {
  return { vector: floatsOf(vector), tokenCount, ...(tokenVectors === undefined ? {} : { tokenVectors }) }
}

function queryOf({ vector, tokenVectors, tokenCount }: StoredEmbedding): QueryEmbedding {
  return {
    vector: floatsOf(vector),
    tokenCount,
    ...(tokenVectors === undefined ? {} : { tokenVectors: floatsOf(tokenVectors) })
  }
}

function bytesOf(floats: Float32Array): Uint8Array {
  return new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength)
}

/** A copy: bytes from SQLite need not begin on a multiple of four. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer)
}
