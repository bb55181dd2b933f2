import type { KeywordClause } from '../../ports/index.ts'
import { bm25Idf, bm25TermScore } from '../../scoring/index.ts'

/** A field of one document, as scoring sees it: title and body are two, each with its own statistics. */
export interface FieldTokens {
  /** Tokens in all. The exact number: Lucene keeps a length in one byte, exact to 39 and then coarser, and so scores coarser. */
  readonly length: number
  readonly frequency: ReadonlyMap<string, number>
}

/** Statistics of one field over the documents of a scope. */
export interface FieldStatistics {
  /** Documents with a token in this field: Lucene's docCount, which is not the number of all documents. */
  readonly documents: number
  /** Mean tokens of the field in those documents. */
  readonly averageLength: number
  /** Documents that have the token in this field, 0 for an unknown one. */
  readonly frequencyOf: (token: string) => number
}

/** The field of tokens v1 in order. */
export function fieldTokens(tokens: readonly string[]): FieldTokens {
  const frequency = new Map<string, number>()
  for (const token of tokens) frequency.set(token, (frequency.get(token) ?? 0) + 1)
  return { length: tokens.length, frequency }
}

/** Statistics by looking at every document of the scope. */
export function fieldStatistics(fields: readonly FieldTokens[]): FieldStatistics {
  const documentFrequency = new Map<string, number>()
  let documents = 0
  let length = 0
  for (const field of fields) {
    if (field.length > 0) documents++
    length += field.length
    for (const token of field.frequency.keys()) documentFrequency.set(token, (documentFrequency.get(token) ?? 0) + 1)
  }
  const averageLength = documents === 0 ? 0 : length / documents
  return { documents, averageLength, frequencyOf: (token) => documentFrequency.get(token) ?? 0 }
}

/**
 * BM25 of one keyword in one field, or null where fewer than `minimum` of its tokens are there.
 * With the factor (k1 + 1), as Elasticsearch and OpenSearch 2 score by default; Lucene 8 and OpenSearch 3 leave it out,
 * and an adapter for them multiplies by it, because the vector part is added to this very number.
 */
export function fieldScore(clause: KeywordClause, field: FieldTokens, statistics: FieldStatistics): number | null {
  let present = 0
  let score = 0
  for (const token of clause.tokens) {
    const frequency = field.frequency.get(token)
    if (frequency === undefined) continue
    present++
    const idf = bm25Idf(statistics.documents, statistics.frequencyOf(token))
    score += idf * bm25TermScore(frequency, field.length, statistics.averageLength)
  }
  return present > 0 && present >= clause.minimum ? score : null
}
