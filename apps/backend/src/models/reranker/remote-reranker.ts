import {
  checkRerank,
  type ModelState,
  type Reranker,
  type RerankRequest,
  type RerankScore,
  searchedText
} from '@oncall-agent/retrieval'
import { unusableAnswer } from '../call/explain-failure.ts'
import { RemoteModel } from '../call/remote-model.ts'

export interface RemoteRerankerOptions {
  /** The endpoint itself: `https://api.example.com/v1/rerank`. */
  readonly baseUrl: string
  readonly model: string
  /** Empty for a server that wants none. */
  readonly apiKey: string
  /** Milliseconds of one call with its retries. */
  readonly timeoutMs: number
}

/** A reranker behind an address. */
export interface RemoteReranker extends Reranker {
  /** How the last call went; reading it asks nobody. */
  readonly state: ModelState
  /** Scores one pair unless the last call went well. */
  warm(): Promise<void>
  close(): Promise<void>
}

/** What is asked: the best `topN` of these documents. */
export interface RerankQuestion {
  readonly query: string
  readonly documents: readonly string[]
  readonly topN: number
}

/** How a provider wants to be asked, and where it puts `[{ index, relevance_score }]`. */
export interface RerankProtocol {
  readonly name: string
  body(question: RerankQuestion, model: string): unknown
  results(answer: Readonly<Record<string, unknown>>): unknown
}

/** Bytes of an answer: it is twenty short lines, or some more if a server repeats the documents. */
const ANSWER_BYTES = 4 * 1024 * 1024
const OPERATION = 'rerank'
const PROBE: RerankQuestion = { query: 'ping', documents: ['ping'], topN: 1 }

/** One reranker for all protocols. @throws PortError invalid-argument for an address or a key that cannot be used */
export function createRemoteReranker(options: RemoteRerankerOptions, protocol: RerankProtocol): RemoteReranker {
  return new HttpReranker(options, protocol)
}

class HttpReranker implements RemoteReranker {
  readonly name: string
  readonly needs = { vectors: false, tokenVectors: false, statistics: false }
  readonly #remote: RemoteModel
  readonly #model: string
  readonly #protocol: RerankProtocol

  constructor(options: RemoteRerankerOptions, protocol: RerankProtocol) {
    this.#remote = new RemoteModel({ ...options, url: options.baseUrl })
    this.#model = options.model
    this.#protocol = protocol
    this.name = `${protocol.name}/${options.model}`
  }

  get state(): ModelState {
    return this.#remote.state
  }

  warm(): Promise<void> {
    return this.#remote.warm(() => this.#score(PROBE))
  }

  async close(): Promise<void> {
    this.#remote.close()
  }

  async rerank({ query, candidates, topN }: RerankRequest, signal?: AbortSignal): Promise<readonly RerankScore[]> {
    signal?.throwIfAborted()
    const wanted = Math.min(topN, candidates.length)
    if (wanted <= 0) return []
    const documents = candidates.map((candidate) => searchedText(candidate).toWellFormed())
    return this.#score({ query: query.toWellFormed(), documents, topN: wanted }, signal)
  }

  #score(question: RerankQuestion, signal?: AbortSignal): Promise<readonly RerankScore[]> {
    return this.#remote.use(
      OPERATION,
      async (ask) => {
        const body = this.#protocol.body(question, this.#model)
        const answer = await ask({ body, maxBytes: ANSWER_BYTES })
        return checkRerank(this.#scoresOf(answer), question.documents.length, question.topN)
      },
      signal
    )
  }

  /** Values as they came; `checkRerank` believes none of them. */
  #scoresOf(answer: unknown): readonly RerankScore[] {
    const results = isRecord(answer) ? this.#protocol.results(answer) : undefined
    if (!Array.isArray(results)) throw unusableAnswer(OPERATION, this.#model, 'it has no list of scores')
    return (results as readonly unknown[]).map((result) => {
      const { index, relevance_score: score } = isRecord(result) ? result : {}
      return { index, score } as RerankScore
    })
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
