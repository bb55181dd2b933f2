import { identifiers, tokenize, type TermStatistics } from '@oncall-agent/retrieval'

/** An identifier of joined plain lower-case words (`rate-limit`, `read/write`) is language, not a name. */
const JOINED_WORDS = /^[a-z]+(?:[-/][a-z]+)+$/
/** Two documents' worth of doubt: a single common word found is no full share. */
const FLOOR_DOCUMENTS = 1.5

/** Rarity of terms in the scope. */
export interface Rarity {
  /** ln(N + 1) − ln(df + 0.5), as in BM25L; df 0 for a term that the scope lacks. */
  idf(term: string): number
  /** IDF of a term in one document: the least that a share is taken of. */
  readonly floor: number
}

export function rarityOf(terms: readonly string[], statistics: TermStatistics): Rarity {
  const frequency = new Map(terms.map((term, i) => [term, statistics.frequency[i] ?? 0]))
  const total = Math.log(statistics.chunks + 1)
  return {
    idf: (term) => total - Math.log((frequency.get(term) ?? 0) + 0.5),
    floor: total - Math.log(FLOOR_DOCUMENTS)
  }
}

/** The query's words, once for all candidates. */
export interface QueryWords {
  /** Distinct tokens v1. */
  readonly tokens: readonly string[]
  /** Those of them that name something exactly. */
  readonly identifiers: readonly string[]
}

export function queryWords(query: string): QueryWords {
  const normal = query.normalize('NFKC')
  return {
    tokens: [...new Set(tokenize(query))],
    // A joined word counts when it is written with capitals; `identifiers` gives lower case, so the query is asked.
    identifiers: identifiers(query).filter((name) => !(JOINED_WORDS.test(name) && normal.includes(name)))
  }
}

/** Σ idf of the query's identifiers that the chunk has / max(Σ idf of all, floor). */
export function identifierShare(words: QueryWords, found: ReadonlySet<string>, rarity: Rarity): number {
  return share(words.identifiers, found, rarity, rarity.floor)
}

/** Σ idf of the query's tokens that the chunk has / Σ idf of all. */
export function coverageShare(words: QueryWords, found: ReadonlySet<string>, rarity: Rarity): number {
  return share(words.tokens, found, rarity, 0)
}

/** Σ idf of the title's tokens that the query has / max(Σ idf of all, floor). */
export function titleShare(titleTokens: readonly string[], query: ReadonlySet<string>, rarity: Rarity): number {
  return share(titleTokens, query, rarity, rarity.floor)
}

function share(terms: readonly string[], found: ReadonlySet<string>, rarity: Rarity, floor: number): number {
  let [have, all] = [0, 0]
  for (const term of terms) {
    const idf = rarity.idf(term)
    all += idf
    if (found.has(term)) have += idf
  }
  return have === 0 ? 0 : have / Math.max(all, floor)
}
