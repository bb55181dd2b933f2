import type { KeywordClause, MatchRequest, ReadablePair, StructuredEntry, StructuredHit } from '../../ports/index.ts'
import { DEFAULT_KNOWLEDGE_TYPES, looseClause, strictClause } from '../../structured/index.ts'
import { tokenize } from '../../tokens/index.ts'
import { pairOf } from '../test-data.ts'

export const home = pairOf('tenant', 'kb')
export const neighbour = pairOf('tenant', 'kb-other')
export const stranger = pairOf('stranger', 'kb')

export type EntryDraft = Partial<Omit<StructuredEntry, 'documentId' | 'tenantId' | 'knowledgeBaseId'>>

/** An entry of the first default type with nothing in it but what is given. */
export function entryOf(pair: ReadablePair, documentId: string, draft: EntryDraft = {}): StructuredEntry {
  return {
    documentId,
    tenantId: pair.tenantId,
    knowledgeBaseId: pair.knowledgeBaseId,
    knowledgeType: DEFAULT_KNOWLEDGE_TYPES[0]!,
    errorCodes: [],
    title: '',
    body: '',
    createdAt: 1_700_000_000_000,
    contentHash: documentId,
    ...draft
  }
}

export function tokensOf(keyword: string): string[] {
  return [...new Set(tokenize(keyword))]
}

export function strictly(...keywords: readonly string[]): { mode: 'all'; clauses: readonly KeywordClause[] } {
  return { mode: 'all', clauses: keywords.map((keyword) => strictClause(tokensOf(keyword))) }
}

/** At the default share of 60 %. */
export function loosely(...keywords: readonly string[]): { mode: 'any'; clauses: readonly KeywordClause[] } {
  return { mode: 'any', clauses: keywords.map((keyword) => looseClause(tokensOf(keyword), 0.6)) }
}

/** A request for everything of the home pair, on one long page, unless said otherwise. */
export function matchOf(rest: Partial<MatchRequest>): MatchRequest {
  return { pairs: [home], filters: {}, ...strictly(), titleBoost: 3, from: 0, size: 100, ...rest }
}

export function ids(answer: { readonly hits: readonly StructuredHit[] }): string[] {
  return answer.hits.map((hit) => hit.document.documentId)
}

/** Document ids in an order of their own, for answers whose order is not the point. */
export function idSet(answer: { readonly hits: readonly StructuredHit[] }): string[] {
  return ids(answer).toSorted()
}

/** Unit vector in the plane of the first two axes: its cosine to the first axis is that of the angle. */
export function atAngle(degrees: number, dimension: number): Float32Array {
  const vector = new Float32Array(dimension)
  const radians = (degrees * Math.PI) / 180
  vector.set([Math.cos(radians), Math.sin(radians)])
  return vector
}
