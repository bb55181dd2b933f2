import type { RecallHit } from '@oncall-agent/retrieval'
import { cosine, norm } from '../vectors/quantise.ts'
import type { NearestSlots } from './nearest-slots.ts'
import type { HitRanking } from './ranked-hits.ts'
import type { StopCheck } from './read-transaction.ts'
import type { Selection } from './selection.ts'
import type { VectorReader } from './vector-reader.ts'

export interface VectorQuery {
  readonly vector: Float32Array
  readonly limit: number
}

/** The nearest chunks of a scope, ranked as every branch must. */
export class VectorSearch {
  readonly #nearest: NearestSlots
  readonly #vectors: VectorReader
  readonly #ranking: HitRanking

  constructor(nearest: NearestSlots, vectors: VectorReader, ranking: HitRanking) {
    this.#nearest = nearest
    this.#vectors = vectors
    this.#ranking = ranking
  }

  search({ vector, limit }: VectorQuery, selections: readonly Selection[], stop: StopCheck): RecallHit[] {
    const length = norm(vector)
    const found = this.#nearest.find(
      { vector, limit, cosine: (slots, slot) => cosine(vector, this.#vectors.exact(slots, slot), length) },
      selections,
      stop
    )
    return this.#ranking.rank(found, limit)
  }
}
