import { type ReadablePair, type Scope, tokenize } from '@oncall-agent/retrieval'
import type { RivalCorpus } from '../rivals/rival-corpus.ts'
import { layOut } from './layout.ts'
import { SyntheticText } from './synthetic-text.ts'
import { SyntheticVectors } from './synthetic-vectors.ts'

/** Changes with anything that changes the corpus, so that kept ones of another kind are not taken for it. */
const corpusVersion = 1
const seed = 20_260_101
const benchTenant = 'bench'

/** A synthetic corpus with what queries it needs. */
export interface BenchCorpus extends RivalCorpus {
  /** Names it among kept files. */
  readonly key: string
  readonly chunks: number
  readonly tenantId: string
  /** The id under which a knowledge base of the layout is published. */
  knowledgeBaseId(name: string): string
  queryVector(number: number): Float32Array
  /** Tokens v1 of a query in words, at most `words` of them. */
  queryTokens(number: number, words: number): readonly string[]
  queryText(number: number, words: number): string
  readonly scopes: { readonly whole: Scope; readonly tenth: Scope; readonly fixed: Scope }
}

export interface CorpusRequest {
  readonly chunks: number
  /** Chunks of the scope that stays the same between corpora of different sizes. */
  readonly fixedChunks: number
  /** Width of the vectors. */
  readonly dimension: number
  /** Gather the vectors around these instead of random directions; `kind` names them. */
  readonly centres?: readonly Float32Array[]
  readonly kind?: string
  /** Who owns it and what its knowledge bases are called, when a business store has said so. */
  readonly owner?: { readonly tenantId: string; readonly idOf: (knowledgeBase: string) => string }
}

export function benchCorpus(request: CorpusRequest): BenchCorpus {
  const { chunks, fixedChunks, dimension, centres, kind = 'random', owner } = request
  const { tenantId, idOf } = owner ?? { tenantId: benchTenant, idOf: (name: string) => name }
  const layout = layOut(chunks, fixedChunks)
  const text = new SyntheticText(seed)
  const vectors = new SyntheticVectors({ seed, dimension, chunks, ...(centres === undefined ? {} : { centres }) })
  const pair = (name: string): ReadablePair => ({ tenantId, knowledgeBaseId: idOf(name) })
  return {
    key: `v${corpusVersion}-${kind}-${chunks}-${fixedChunks}-${dimension}`,
    chunks,
    tenantId,
    knowledgeBaseId: idOf,
    layout,
    text: (chunk) => text.chunk(chunk),
    vector: (chunk) => vectors.chunk(chunk),
    queryVector: keep((number) => vectors.query(number)),
    queryTokens: keep((number, words) => tokenize(text.query(number, words)).slice(0, words)),
    queryText: (number, words) => text.query(number, words),
    scopes: {
      whole: { pairs: layout.knowledgeBaseIds.map(pair) },
      tenth: { pairs: [pair(layout.tenth)] },
      fixed: { pairs: [pair(layout.fixed)] }
    }
  }
}

/** Makes each answer once, so that a timed search is not charged for its own question. */
export function keep<Keys extends readonly number[], Value>(make: (...keys: Keys) => Value): (...keys: Keys) => Value {
  const made = new Map<string, Value>()
  return (...keys) => {
    const key = keys.join()
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(...keys)
    made.set(key, value)
    return value
  }
}
