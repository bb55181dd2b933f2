import {
  TOKENIZER_VERSION,
  type Embedder,
  type EmbedderFingerprint,
  type ModelState,
  type PassageEmbedding,
  type QueryEmbedding
} from '@oncall-agent/retrieval'
import { WorkerLane } from '../threads/worker-lane.ts'
import { E5_MAX_TOKENS } from '../tokenizer/e5-tokenizer.ts'
import { BUNDLED_WEIGHTS } from '../weights/weight-files.ts'
import { COMPOSITE_WIDTH } from './composite.ts'
import type { EncodedText, EncoderSetup } from './encoder-pair.ts'
import type { EncodeQuestion } from './encoder-thread.ts'
import { TextQueue } from './text-queue.ts'

/** Stored with an index; changes when the same text would get another vector. */
const BUNDLED_MODEL = 'e5-small-zh-en+use-v3-zh-en/1'

/** A call of this many texts (about two seconds of work) is a good unit of progress and of cancelling. */
const BATCH_SIZE = 16
const ENTRY = new URL('./encoder-thread.ts', import.meta.url)

export interface BundledEmbedderOptions {
  /**
   * Threads that embed passages, each with models of its own (about 130 MB); default 1, which leaves a core of two to
   * the server. Queries have a thread besides, so that none waits for a passage.
   */
  readonly threads?: number
  /** Whether to give token vectors: 14.9 KB more for a passage of 300 tokens, and a better reranking. */
  readonly tokenVectors: boolean
  readonly weightsFolder?: string
}

/**
 * The embedder that ships with the product: multilingual-e5-small and the multilingual Universal Sentence Encoder,
 * pruned to Chinese and English, as one vector of 896. Works offline. Nothing is loaded before the first use.
 * Every method throws PortError `corrupt` for damaged weights, `unavailable` when a thread died, `closed` after `close`.
 */
export function createBundledEmbedder(options: BundledEmbedderOptions): Embedder {
  return new BundledEmbedder(options)
}

type EncoderLane = WorkerLane<EncodeQuestion, EncodedText>

class BundledEmbedder implements Embedder {
  readonly fingerprint: EmbedderFingerprint = {
    model: BUNDLED_MODEL,
    dimension: COMPOSITE_WIDTH,
    normalised: true,
    tokenizerVersion: TOKENIZER_VERSION
  }
  readonly limits = { maxTokens: E5_MAX_TOKENS, batchSize: BATCH_SIZE }
  readonly keepsTokenVectors: boolean
  readonly #queries: EncoderLane
  readonly #passages: readonly EncoderLane[]
  readonly #queue: TextQueue
  /** Questions wait here, not in the thread, so that those whose asker has gone are dropped. */
  readonly #questions: TextQueue
  /** Of the last load of any thread: all of them load the same weights. */
  #loadFailed = false

  constructor({ threads = 1, tokenVectors, weightsFolder = BUNDLED_WEIGHTS }: BundledEmbedderOptions) {
    this.keepsTokenVectors = tokenVectors
    const setup: EncoderSetup = { weightsFolder, tokenVectors }
    const lane = (): EncoderLane =>
      new WorkerLane(ENTRY, setup, BUNDLED_MODEL, (succeeded) => (this.#loadFailed = !succeeded))
    this.#queries = lane()
    this.#passages = Array.from({ length: Math.max(1, threads) }, lane)
    this.#questions = new TextQueue([(text) => this.#queries.ask({ text, role: 'query' })])
    this.#queue = new TextQueue(this.#passages.map((each) => (text) => each.ask({ text, role: 'passage' })))
  }

  /** `warm` as soon as one thread can answer; `failed` from a load that failed to one that succeeds. */
  get state(): ModelState {
    const states = [this.#queries.state, ...this.#passages.map((lane) => lane.state)]
    if (this.#loadFailed && !states.includes('closed')) return 'failed'
    const order: readonly ModelState[] = ['closed', 'warm', 'warming']
    return order.find((state) => states.includes(state)) ?? 'cold'
  }

  /** Loads what a query needs; the passage threads load at the first passage. */
  warm(): Promise<void> {
    return this.#queries.warm()
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly PassageEmbedding[]> {
    const encoded = await this.#queue.run(texts, signal)
    return encoded.map(({ vector, tokenCount, passageTokens }) =>
      passageTokens === undefined ? { vector, tokenCount } : { vector, tokenCount, tokenVectors: passageTokens }
    )
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<QueryEmbedding> {
    signal?.throwIfAborted()
    const [encoded] = await this.#questions.run([text], signal)
    const { vector, tokenCount, queryTokens } = encoded!
    return queryTokens === undefined ? { vector, tokenCount } : { vector, tokenCount, tokenVectors: queryTokens }
  }

  async close(): Promise<void> {
    await Promise.all([this.#queries, ...this.#passages].map((lane) => lane.close()))
  }
}
