import {
  PortError,
  searchedText,
  tokenize,
  type RerankCandidate,
  type RerankRequest,
  type RerankScore,
  type Reranker
} from '@oncall-agent/retrieval'
import { COMPOSITE_WIDTH, partCosines } from '../embedder/composite.ts'
import { textLanguage } from '../embedder/text-language.ts'
import { orAborted } from '../threads/or-aborted.ts'
import { WorkerLane } from '../threads/worker-lane.ts'
import { E5_MAX_TOKENS } from '../tokenizer/e5-tokenizer.ts'
import { BUNDLED_WEIGHTS } from '../weights/weight-files.ts'
import type { PairComparison, PoolQuestion } from './compare-pairs.ts'
import { coverageShare, identifierShare, queryWords, rarityOf, titleShare, type Rarity } from './lexical-features.ts'
import { scoreLinearly, type Formula, type PairFeatures } from './linear-formula.ts'
import { probabilities } from './probability.ts'
import type { RerankerSetup } from './reranker-thread.ts'

const ENTRY = new URL('./reranker-thread.ts', import.meta.url)
/** Changes with the formula or its calibration. */
const NAME = 'oncall-linear/1'
/** What helps when an index holds another model's vectors. */
const REBUILD_HINT =
  'delete `index.db`, `index.db-wal` and `index.db-shm` in the data folder (or use another --data folder) and run ' +
  '`oncall index` again.'

export interface BundledRerankerOptions {
  /** Whether to ask the index for token vectors. A pool where any is missing is scored without them all the same. */
  readonly tokenVectors: boolean
  readonly weightsFolder?: string
}

/** A reranker that holds a thread. */
export interface BundledReranker extends Reranker {
  /** Starts the thread; optional. */
  warm(): Promise<void>
  close(): Promise<void>
}

/**
 * The reranker that ships with the product: a linear score that can be taken apart, and its calibrated probability.
 * Reads the vectors of `createBundledEmbedder`, no other's. Works offline.
 * @throws PortError from `rerank`: invalid-argument (vectors or statistics are missing), model-mismatch (vectors of another
 *   width), corrupt (token vectors, weights), unavailable (its thread died), closed
 */
export function createBundledReranker(options: BundledRerankerOptions): BundledReranker {
  return new LinearReranker(options)
}

class LinearReranker implements BundledReranker {
  readonly name = NAME
  readonly needs: Reranker['needs']
  readonly #lane: WorkerLane<PoolQuestion, readonly PairComparison[]>

  constructor({ tokenVectors, weightsFolder = BUNDLED_WEIGHTS }: BundledRerankerOptions) {
    this.needs = { vectors: true, tokenVectors, statistics: true }
    this.#lane = new WorkerLane(ENTRY, { weightsFolder } satisfies RerankerSetup, NAME)
  }

  warm(): Promise<void> {
    return this.#lane.warm()
  }

  close(): Promise<void> {
    return this.#lane.close()
  }

  async rerank(request: RerankRequest, signal?: AbortSignal): Promise<readonly RerankScore[]> {
    signal?.throwIfAborted()
    const { candidates, query, topN } = request
    if (candidates.length === 0 || topN <= 0) return []
    const words = queryWords(query)
    const titles = candidates.map(({ title }) => [...new Set(tokenize(title))])
    const formula = formulaFor(request)
    const [rarity, comparisons] = await orAborted(
      Promise.all([
        rarityIn(request, [...new Set([...words.tokens, ...titles.flat()])]),
        this.#askPool(poolQuestion(request, words.tokens, formula))
      ]),
      signal
    )
    const inQuery = new Set(words.tokens)
    const language = textLanguage(query)
    const scored = candidates.map((candidate, i) => {
      const comparison = comparisons[i]!
      const features: PairFeatures = {
        ...vectorFeatures(request.queryEmbedding.vector, candidate),
        ...(comparison.maxSim === undefined ? {} : { maxSim: comparison.maxSim }),
        identifiers: identifierShare(words, comparison.found, rarity),
        title: titleShare(titles[i]!, inQuery, rarity),
        coverage: coverageShare(words, comparison.found, rarity),
        otherLanguage: comparison.language === language ? 0 : 1
      }
      return scoreLinearly(features, formula)
    })
    const chances = probabilities(
      scored.map(({ raw }, index) => ({ raw, content: candidates[index]!.content })),
      formula
    )
    return scored
      .map(({ raw, parts }, index) => ({ raw, result: { index, score: chances[index]!, parts } }))
      .toSorted((left, right) => right.raw - left.raw || left.result.index - right.result.index)
      .slice(0, topN)
      .map(({ result }) => result)
  }

  #askPool(pool: PoolQuestion): Promise<readonly PairComparison[]> {
    const { question, moved } = movable(pool)
    return this.#lane.ask(question, moved)
  }
}

/**
 * Copies of its own for the thread to take: an index may hand out views into a large buffer, and posting a view
 * copies all of what lies behind it.
 */
function movable(question: PoolQuestion): { question: PoolQuestion; moved: ArrayBuffer[] } {
  const moved: ArrayBuffer[] = []
  const candidates = question.candidates.map((candidate) => {
    if (candidate.tokenVectors === undefined) return candidate
    const tokenVectors = new Uint8Array(candidate.tokenVectors)
    moved.push(tokenVectors.buffer)
    return { ...candidate, tokenVectors }
  })
  if (question.queryVectors === undefined) return { question: { ...question, candidates }, moved }
  const queryVectors = new Float32Array(question.queryVectors)
  moved.push(queryVectors.buffer)
  return { question: { ...question, candidates, queryVectors }, moved }
}

/** One formula a pool: scores of two would not compare. */
function formulaFor({ queryEmbedding, candidates }: RerankRequest): Formula {
  const queryHas = (queryEmbedding.tokenVectors?.length ?? 0) > 0
  return queryHas && candidates.every(({ tokenVectors }) => tokenVectors !== undefined)
    ? 'with-tokens'
    : 'without-tokens'
}

function poolQuestion(request: RerankRequest, queryTokens: readonly string[], formula: Formula): PoolQuestion {
  const late = formula === 'with-tokens'
  const queryVectors = late ? request.queryEmbedding.tokenVectors : undefined
  const candidates = request.candidates.map((candidate) => {
    const plain = { chunkId: candidate.chunkId, text: searchedText(candidate) }
    return late && candidate.tokenVectors !== undefined ? { ...plain, tokenVectors: candidate.tokenVectors } : plain
  })
  return queryVectors === undefined ? { queryTokens, candidates } : { queryTokens, candidates, queryVectors }
}

async function rarityIn({ statistics }: RerankRequest, terms: readonly string[]): Promise<Rarity> {
  if (statistics === undefined) throw missing('the statistics of the scope', 'request')
  return rarityOf(terms, await statistics(terms))
}

function vectorFeatures(query: Float32Array, candidate: RerankCandidate): Pick<PairFeatures, 'e5' | 'use' | 'length'> {
  const { vector, chunkId, tokenCount } = candidate
  if (vector === undefined) throw missing('its vector', chunkId)
  if (vector.length !== COMPOSITE_WIDTH || query.length !== COMPOSITE_WIDTH) {
    throw new PortError('model-mismatch', {
      operation: 'rerank',
      subject: chunkId,
      reason: `vectors are ${query.length} and ${vector.length} wide, the bundled model's are ${COMPOSITE_WIDTH}`,
      hint: `This reranker goes with the bundled embedder only; configure another, or ${REBUILD_HINT}`
    })
  }
  return { ...partCosines(query, vector), length: Math.log(Math.max(1, Math.min(E5_MAX_TOKENS, tokenCount))) }
}

function missing(what: string, subject: string): PortError {
  return new PortError('invalid-argument', { operation: 'rerank', subject, reason: `${what} is missing` })
}
