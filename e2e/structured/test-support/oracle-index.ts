import { documentScore, fieldStatistics } from '@oncall-agent/retrieval'
import type { BothFields, ClauseMatch, FieldStatistics, FieldTokens } from '@oncall-agent/retrieval'
import type { ReadablePair, StructuredSelection } from '@oncall-agent/retrieval'
import { MemoryStructuredIndex } from '@oncall-agent/retrieval/conformance'
import { DIMENSION, pairsOf } from './collection.ts'

export interface OracleOptions {
  readonly knowledgeTypes: readonly string[]
  /** `lucene`: the length of a field is what is left of it in the one byte that Lucene has for it. */
  readonly lengths: 'exact' | 'lucene'
  /** `engine`: of all that is held of the type asked for, whatever the scope; as a search engine counts. */
  readonly statistics: 'scope' | 'engine'
}

type Selected = ReturnType<MemoryStructuredIndex['selected']>
type Matched = ReturnType<MemoryStructuredIndex['matching']>

/**
 * The memory index for hundreds of searches over one collection: it keeps documents and statistics of a scope between
 * searches, so it is filled before the first. With Lucene's lengths it says to the last digit what an engine of Lucene's should score.
 */
export class OracleIndex extends MemoryStructuredIndex {
  readonly #options: OracleOptions
  #everywhere: readonly ReadablePair[] | undefined
  readonly #inScope = new Map<string, Selected>()
  readonly #statistics = new Map<string, BothFields<FieldStatistics>>()

  constructor(options: OracleOptions) {
    super({ dimension: DIMENSION, knowledgeTypes: options.knowledgeTypes })
    this.#options = options
  }

  protected override selected({ pairs, filters }: StructuredSelection): Selected {
    const key = JSON.stringify(pairs)
    const inScope = this.#inScope.get(key) ?? super.selected({ pairs, filters: {} })
    this.#inScope.set(key, inScope)
    return inScope.filter(({ entry }) => this.passes(entry, filters))
  }

  protected override matching(request: StructuredSelection & ClauseMatch, titleBoost: number): Matched {
    const statistics = this.#statisticsOf(this.#counted(request))
    return this.selected(request).flatMap((stored) => {
      const fields = this.#options.lengths === 'exact' ? stored.fields : kept(stored.fields)
      const bm25 = documentScore(request, fields, { statistics, titleBoost })
      return bm25 === null ? [] : [{ stored, bm25 }]
    })
  }

  /** What the statistics are of. */
  #counted({ pairs, filters: { knowledgeType } }: StructuredSelection): StructuredSelection {
    if (this.#options.statistics === 'scope') return { pairs, filters: {} }
    this.#everywhere ??= pairsOf({ entries: this.all() })
    return { pairs: this.#everywhere, filters: knowledgeType === undefined ? {} : { knowledgeType } }
  }

  /** Means are of exact lengths with Lucene too: it keeps their sum. */
  #statisticsOf(counted: StructuredSelection): BothFields<FieldStatistics> {
    const key = JSON.stringify(counted)
    const known = this.#statistics.get(key)
    if (known !== undefined) return known
    const fields = this.selected(counted).map((stored) => stored.fields)
    const made = {
      title: fieldStatistics(fields.map(({ title }) => title)),
      body: fieldStatistics(fields.map(({ body }) => body))
    }
    this.#statistics.set(key, made)
    return made
  }
}

function kept({ title, body }: BothFields<FieldTokens>): BothFields<FieldTokens> {
  return {
    title: { ...title, length: lengthInAByte(title.length) },
    body: { ...body, length: lengthInAByte(body.length) }
  }
}

/** Lengths below this have a value of their own. */
const EXACT_BELOW = 24
/** Of the rest, so many leading bits stay. */
const BITS = 4

/** What Lucene reads back of a field's length (SmallFloat.intToByte4 and byte4ToInt, Lucene 7 and later). */
export function lengthInAByte(length: number): number {
  if (length < EXACT_BELOW) return length
  const beyond = length - EXACT_BELOW
  const shift = Math.max(0, 32 - Math.clz32(beyond) - BITS)
  return EXACT_BELOW + ((beyond >>> shift) << shift)
}
