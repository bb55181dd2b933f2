import { createHash } from 'node:crypto'
import type {
  Embedder,
  EmbedderFingerprint,
  ModelState,
  PassageEmbedding,
  QueryEmbedding
} from '@oncall-agent/retrieval'
import { RemoteModel } from '../call/remote-model.ts'
import { embedFitting } from './embed-fitting.ts'
import { outgoingText } from './outgoing-text.ts'
import { readEmbeddings } from './read-embeddings.ts'

export interface OpenAiEmbedderOptions {
  /** Up to the version: `https://api.example.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  /** Empty for a server that wants none. */
  readonly apiKey: string
  /** Width of the model's vectors; an answer of another width is refused. */
  readonly dimension: number
  /** What the model reads of one text, by `estimateTokens`. */
  readonly maxTokens: number
  /** Texts of one request. */
  readonly batchSize: number
  /** Milliseconds of one request with its retries. */
  readonly timeoutMs: number
  /** Put before every question or passage, for models that want it; part of the fingerprint. */
  readonly queryPrefix?: string
  readonly passagePrefix?: string
}

/** Bytes of a number written in JSON, with what separates it. */
const NUMBER_BYTES = 32
/** Bytes that any answer may have: a width that was configured wrongly should be told as that. */
const LEAST_ANSWER_BYTES = 16 * 1024 * 1024
/** The shortest question that any model takes. */
const PROBE = 'ping'
/** Hexadecimal digits that tell prefixes apart. */
const PREFIX_DIGITS = 8

/** What a passage and a question get alike. */
type Embedding = Pick<PassageEmbedding & QueryEmbedding, 'vector' | 'tokenCount'>

/**
 * An embedder behind OpenAI's `/embeddings` protocol. Vectors are made unit vectors here; a text's tokens are estimated,
 * and a text beyond `maxTokens` is cut there, or shorter if the server says so.
 * Every method throws PortError: `unavailable` (the server does not answer, or not usably), `model-mismatch` (vectors of
 * another width), `closed`; or the signal's reason.
 * @throws PortError invalid-argument for an address or a key that cannot be used
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  return new OpenAiEmbedder(options)
}

class OpenAiEmbedder implements Embedder {
  readonly fingerprint: EmbedderFingerprint
  readonly limits: Embedder['limits']
  readonly keepsTokenVectors = false
  readonly #remote: RemoteModel
  readonly #prefixes: { readonly query: string; readonly passage: string }

  constructor({ queryPrefix = '', passagePrefix = '', ...options }: OpenAiEmbedderOptions) {
    const { baseUrl, model, dimension, maxTokens, batchSize } = options
    this.#remote = new RemoteModel({ ...options, url: `${baseUrl.replace(/\/+$/, '')}/embeddings` })
    this.#prefixes = { query: queryPrefix, passage: passagePrefix }
    const tokenizerVersion = `remote${prefixMark(queryPrefix, passagePrefix)}`
    this.fingerprint = { model, dimension, normalised: true, tokenizerVersion }
    this.limits = { maxTokens, batchSize }
  }

  get state(): ModelState {
    return this.#remote.state
  }

  /** Embeds one word unless the last call went well; `state` never asks. */
  warm(): Promise<void> {
    return this.#remote.warm(() => this.#embed('warm embedder', [PROBE], this.#prefixes.query))
  }

  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly PassageEmbedding[]> {
    return this.#embed('embed passages', texts, this.#prefixes.passage, signal)
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<QueryEmbedding> {
    const [embedding] = await this.#embed('embed query', [text], this.#prefixes.query, signal)
    return embedding!
  }

  async close(): Promise<void> {
    this.#remote.close()
  }

  async #embed(
    operation: string,
    texts: readonly string[],
    prefix: string,
    signal?: AbortSignal
  ): Promise<readonly Embedding[]> {
    const { model, dimension } = this.fingerprint
    const { maxTokens, batchSize } = this.limits
    const embeddings: Embedding[] = []
    // One batch after the other: providers count requests, and a job has its own way of working side by side.
    for (let from = 0; from < texts.length; from += batchSize) {
      const batch = texts.slice(from, from + batchSize).map((text) => outgoingText(text, prefix, maxTokens))
      const embedded = await this.#remote.use(
        operation,
        (ask) =>
          embedFitting(batch, async (some) => {
            const maxBytes = Math.max(LEAST_ANSWER_BYTES, some.length * dimension * NUMBER_BYTES)
            const body = { model, input: some.map(({ text }) => text), encoding_format: 'float' }
            const answer = await ask({ body, maxBytes })
            return readEmbeddings(answer, { operation, model, dimension, count: some.length })
          }),
        signal
      )
      embeddings.push(...embedded.map(({ sent, vector }) => ({ vector, tokenCount: sent.tokenCount })))
    }
    return embeddings
  }
}

/** Vectors that were made with other prefixes are another model's: they must not meet in one index. */
function prefixMark(query: string, passage: string): string {
  if (query === '' && passage === '') return ''
  const digest = createHash('sha256')
    .update(JSON.stringify([query, passage]))
    .digest('hex')
  return `+${digest.slice(0, PREFIX_DIGITS)}`
}
