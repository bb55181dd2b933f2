import { DEFAULT_KNOWLEDGE_TYPES } from '@oncall-agent/retrieval'
import type {
  KeywordClause,
  MatchRequest,
  ReadablePair,
  StructuredEntry,
  StructuredFilters
} from '@oncall-agent/retrieval'
import { entryOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { TEST_DIMENSION } from './temporary-index.ts'

const WORDS = ['disk', 'disk', 'gateway', '重启', '网关', 'E_1027', 'timeout', 'v1/chat', '𠮷野', 'rare']
const TOKENS = ['disk', 'gateway', '重启', '重', '网', 'e_1027', 'timeout', '𠮷', 'rare', 'nowhere']
/** What is awkward as a key, as JSON, or as text of SQLite. */
const VALUES = ['pay', 'Pay', '', 'a "quoted" \\ value', 'nul \u0000 inside', '[]', '网关 🚦', 'long '.repeat(200)]
const CODES = ['E1', 'E2', '', 'E"3', 'e1']
/** Above 15, where a posting's frequency goes to the overflow list. */
const MANY = 40

/** An entry of few words, so that many score the same; titles, values and vectors are sometimes missing. */
export function randomEntry(random: Random, pair: ReadablePair, documentId: string): StructuredEntry {
  const body = words(random, random.between(0, 6))
  return entryOf(pair, documentId, {
    knowledgeType: random.pick(DEFAULT_KNOWLEDGE_TYPES),
    ...(random.next() < 0.7 ? { project: random.pick(VALUES) } : {}),
    ...(random.next() < 0.5 ? { equipment: random.pick(VALUES) } : {}),
    errorCodes: [...random.some(CODES, 0.3), ...random.some(CODES, 0.1)],
    title: words(random, random.between(0, 2)),
    body: random.next() < 0.05 ? `${body} ${'disk '.repeat(random.between(1, MANY))}` : body,
    createdAt: random.between(1, 4),
    contentHash: String(random.between(1, 1_000_000)),
    ...(random.next() < 0.7 ? { vector: randomEntryVector(random) } : {})
  })
}

/** Of any norm; often one of four directions, so that cosines tie. */
export function randomEntryVector(random: Random): Float32Array {
  const seed = random.next() < 0.4 ? new Random(random.between(1, 4)) : random
  const norm = random.pick([1, 1, 0.01, 50])
  return unitVector(TEST_DIMENSION, seed).map((value) => value * norm)
}

export function randomMatch(random: Random, pairs: readonly ReadablePair[]): MatchRequest {
  return {
    pairs: random.some(pairs, 0.7),
    filters: randomFilters(random),
    ...randomWithout(random),
    mode: random.pick(['all', 'any']),
    clauses: Array.from({ length: random.between(0, 3) }, () => randomClause(random)),
    titleBoost: random.pick([0, 1, 3]),
    from: random.pick([0, 0, 3]),
    size: random.pick([0, 1, 10, 1_000]),
    ...(random.next() < 0.6
      ? {
          rescore: {
            vector: randomEntryVector(random),
            window: random.pick([1, 5, 50]),
            weight: random.pick([0, 0.5, 1])
          }
        }
      : {})
  }
}

export function randomFilters(random: Random): StructuredFilters {
  return {
    ...(random.next() < 0.2 ? { project: random.pick([...VALUES, 'unknown']) } : {}),
    ...(random.next() < 0.1 ? { equipment: random.pick(VALUES) } : {}),
    ...(random.next() < 0.2 ? { errorCodes: random.some(CODES, 0.5) } : {}),
    ...(random.next() < 0.2 ? { knowledgeType: random.pick(DEFAULT_KNOWLEDGE_TYPES) } : {})
  }
}

/** Ids as `randomEntry` is given them, the first few or all of a small collection. */
export function randomWithout(random: Random): { readonly without?: readonly string[] } {
  if (random.next() < 0.6) return {}
  const ids = Array.from({ length: 14 }, (_, number) => `d${number}`)
  return { without: random.some(ids, random.pick([0.1, 0.5, 1])) }
}

function randomClause(random: Random): KeywordClause {
  const tokens = [...new Set(Array.from({ length: random.between(0, 3) }, () => random.pick(TOKENS)))]
  return { tokens, minimum: random.between(Math.min(1, tokens.length), tokens.length) }
}

function words(random: Random, number: number): string {
  return Array.from({ length: number }, () => random.pick(WORDS)).join(' ')
}
