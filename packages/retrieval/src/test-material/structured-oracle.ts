import type { ReadablePair, StructuredEntry } from '../ports/index.ts'
import type { StructuredRequest, StructuredSettings } from '../structured/index.ts'
import { tokenize } from '../tokens/index.ts'

/** What contract 2 says the answer is, written down once more from its text, slowly and sharing no code with the ladder. */
export interface OracleAnswer {
  readonly status: string
  readonly total: number
  /** Ids with scores, the whole list and not a page; empty with `too_many`. */
  readonly ranking: readonly { readonly id: string; readonly score: number }[]
  /** With `too_many`: how often each value occurs, by facet. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface OracleWorld {
  readonly entries: readonly StructuredEntry[]
  readonly pairs: readonly ReadablePair[]
  readonly settings: StructuredSettings
  readonly vectorOf: (text: string) => Float32Array
}

type Field = 'title' | 'body'

export function oracleAnswer(request: StructuredRequest, world: OracleWorld): OracleAnswer {
  const readable = world.entries.filter((entry) =>
    world.pairs.some((pair) => pair.tenantId === entry.tenantId && pair.knowledgeBaseId === entry.knowledgeBaseId)
  )
  const selected = readable.filter((entry) => passes(entry, request))
  const keywords = distinctKeywords(request.keywords ?? [])
  const sentence = (request.query_text ?? '').trim()
  const meant = sentence === '' ? keywords.map(({ text }) => text).join(' ') : sentence
  const query = meant === '' ? undefined : world.vectorOf(meant)
  const mode = request.mode ?? 'auto'
  const score = (entry: StructuredEntry, share: number): number[] =>
    keywords.map(({ tokens }) => keywordScore(entry, tokens, { share, readable, boost: world.settings.titleBoost }))
  const rank = (entries: readonly StructuredEntry[], share: number) =>
    ranked(entries, (entry) => sum(score(entry, share).filter((part) => part >= 0)), { query, world })

  if (mode === 'auto' || mode === 'strict') {
    const matching = selected.filter((entry) => score(entry, 1).every((part) => part >= 0))
    if (matching.length > world.settings.strictMaxHits) {
      return { status: 'too_many', total: matching.length, ranking: [], values: valuesOf(matching) }
    }
    if (matching.length > 0) return { status: 'strict_hit', total: matching.length, ranking: rank(matching, 1) }
  }
  if (mode === 'auto' || mode === 'loose') {
    const share = world.settings.looseMinMatch
    const matching = selected.filter((entry) => score(entry, share).some((part) => part >= 0))
    if (matching.length > 0) return { status: 'loose_hit', total: matching.length, ranking: rank(matching, share) }
  }
  const withVector = selected.filter((entry) => entry.vector !== undefined)
  if ((mode === 'auto' || mode === 'vector_only') && sentence !== '' && withVector.length > 0) {
    const scored = withVector.map((entry) => ({ entry, score: 1 + cosine(query!, entry.vector!) }))
    const ranking = scored.toSorted((a, b) => b.score - a.score || inCorpus(a.entry, b.entry))
    const { from_: from = 0, size = 10 } = request
    const found = ranking
      .slice(0, from + size)
      .map(({ entry, score: value }) => ({ id: entry.documentId, score: value }))
    return { status: 'vector_only', total: found.length, ranking: found }
  }
  return { status: 'no_hit', total: 0, ranking: [] }
}

function passes(entry: StructuredEntry, request: StructuredRequest): boolean {
  const codes = request.error_codes ?? []
  return (
    (request.project === undefined || request.project === entry.project) &&
    (request.equipment === undefined || request.equipment === entry.equipment) &&
    (request.knowledge_type === undefined || request.knowledge_type === entry.knowledgeType) &&
    (codes.length === 0 || codes.some((code) => entry.errorCodes.includes(code)))
  )
}

function distinctKeywords(texts: readonly string[]): { text: string; tokens: string[] }[] {
  const seen: { text: string; tokens: string[] }[] = []
  for (const text of texts.map((raw) => raw.trim()).filter((raw) => raw !== '')) {
    const tokens = [...new Set(tokenize(text))]
    if (!seen.some((other) => other.tokens.join() === tokens.join())) seen.push({ text, tokens })
  }
  return seen
}

interface KeywordRule {
  readonly share: number
  readonly readable: readonly StructuredEntry[]
  readonly boost: number
}

/** Score of a keyword in a document; -1 where it does not match. */
function keywordScore(
  entry: StructuredEntry,
  tokens: readonly string[],
  { share, readable, boost }: KeywordRule
): number {
  const inField = (field: Field): number => {
    const own = tokenize(entry[field])
    const present = tokens.filter((token) => own.includes(token))
    if (present.length === 0 || present.length < Math.ceil(share * tokens.length)) return -1
    const all = readable.map((other) => tokenize(other[field])).filter((other) => other.length > 0)
    const mean = sum(all.map((other) => other.length)) / all.length
    const parts = present.map((token) => {
      const having = all.filter((other) => other.includes(token)).length
      const frequency = own.filter((other) => other === token).length
      const idf = Math.log(1 + (all.length - having + 0.5) / (having + 0.5))
      return (idf * frequency * (1.2 + 1)) / (frequency + 1.2 * (1 - 0.75 + (0.75 * own.length) / mean))
    })
    return sum(parts)
  }
  const [title, body] = [inField('title'), inField('body')]
  return Math.max(title < 0 ? -1 : title * boost, body)
}

interface RankRule {
  readonly query: Float32Array | undefined
  readonly world: OracleWorld
}

function ranked(
  entries: readonly StructuredEntry[],
  bm25Of: (entry: StructuredEntry) => number,
  { query, world: { settings } }: RankRule
): { id: string; score: number }[] {
  const recalled = entries
    .map((entry) => ({ entry, bm25: bm25Of(entry) }))
    .toSorted((a, b) => b.bm25 - a.bm25 || inCorpus(a.entry, b.entry))
  const w = settings.vectorWeight
  const scored = recalled.map(({ entry, bm25 }, place) => {
    if (query === undefined) return { entry, bm25, score: bm25 }
    const part = place < settings.rrfWindow && entry.vector !== undefined ? cosine(query, entry.vector) + 1 : 0
    return { entry, bm25, score: (1 - w) * bm25 + w * part }
  })
  const sorted = scored.toSorted((a, b) => b.score - a.score || b.bm25 - a.bm25 || inCorpus(a.entry, b.entry))
  return sorted.map(({ entry, score }) => ({ id: entry.documentId, score }))
}

function valuesOf(entries: readonly StructuredEntry[]): Record<string, Record<string, number>> {
  return {
    project: countOf(entries.map((entry) => entry.project)),
    equipment: countOf(entries.map((entry) => entry.equipment)),
    error_codes: countOf(entries.flatMap((entry) => entry.errorCodes))
  }
}

function countOf(values: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) if (value !== undefined) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

function inCorpus(left: StructuredEntry, right: StructuredEntry): number {
  return left.createdAt - right.createdAt || (left.documentId < right.documentId ? -1 : 1)
}

function cosine(left: Float32Array, right: Float32Array): number {
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right))
}

function dot(left: Float32Array, right: Float32Array): number {
  return sum([...left].map((value, index) => value * right[index]!))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
