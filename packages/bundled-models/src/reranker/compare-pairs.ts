import { PortError, tokenize } from '@oncall-agent/retrieval'
import { textLanguage, type TextLanguage } from '../embedder/text-language.ts'
import { readLateVectors, TOKEN_WIDTH, type LateVectors } from '../token-vectors/late-format.ts'
import type { LateInteraction } from '../token-vectors/late-interaction.ts'

/** What the thread needs of a pool: texts and token vectors, the part of reranking that takes milliseconds. */
export interface PoolQuestion {
  /** Distinct tokens of the query. */
  readonly queryTokens: readonly string[]
  /** Row-major tokens × 384; absent for the formula without token vectors. */
  readonly queryVectors?: Float32Array
  readonly candidates: readonly PoolCandidate[]
}

export interface PoolCandidate {
  readonly chunkId: string
  /** Searched text. */
  readonly text: string
  readonly tokenVectors?: Uint8Array
}

export interface PairComparison {
  /** The query's tokens that the text has. */
  readonly found: ReadonlySet<string>
  readonly language: TextLanguage
  readonly maxSim?: number
}

/** @throws PortError corrupt: token vectors that are not of the bundled model's format */
export async function comparePairs(late: LateInteraction, question: PoolQuestion): Promise<PairComparison[]> {
  const { queryTokens, queryVectors, candidates } = question
  const maxSims =
    queryVectors === undefined
      ? undefined
      : await late.maxSim(
          queryVectors,
          candidates.map((each) => lateVectorsOf(each))
        )
  return candidates.map(({ text }, i) => {
    const tokens = new Set(tokenize(text))
    const found = new Set(queryTokens.filter((token) => tokens.has(token)))
    const comparison = { found, language: textLanguage(text) }
    return maxSims === undefined ? comparison : { ...comparison, maxSim: maxSims[i]! }
  })
}

function lateVectorsOf({ chunkId, tokenVectors }: PoolCandidate): LateVectors {
  const vectors = readLateVectors(tokenVectors ?? new Uint8Array())
  if (vectors !== null) return vectors
  throw new PortError('corrupt', {
    operation: 'read token vectors',
    subject: chunkId,
    reason: `are not of the bundled model's format (${TOKEN_WIDTH} dimensions in 2 bits)`,
    hint: 'Index the document again.'
  })
}
