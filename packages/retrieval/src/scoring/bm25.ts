import { scoreByBruteForce } from './brute-force.ts'

// BM25 in the form that Lucene made usual: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009,
// with 1 added inside the logarithm, so that a term of most documents still weighs above 0.

/** Saturation of the term frequency. */
export const BM25_K1 = 1.2
/** How much the length counts, 0..1. */
export const BM25_B = 0.75

/**
 * Weight of a term by its rarity, always above 0.
 * @param documents documents in scope
 * @param frequency documents in scope that have the term, 0..documents
 */
export function bm25Idf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/**
 * What one term adds to the score of one document, before its idf; 0 for a term that it lacks.
 * @param termFrequency how often the document has the term
 * @param length tokens of the document
 * @param averageLength mean tokens a document of the scope
 */
export function bm25TermScore(termFrequency: number, length: number, averageLength: number): number {
  if (termFrequency === 0) return 0
  const relativeLength = length / (averageLength || 1)
  return (termFrequency * (BM25_K1 + 1)) / (termFrequency + BM25_K1 * (1 - BM25_B + BM25_B * relativeLength))
}

/** Scores of all documents (token lists) by enumeration; a token that the query repeats counts once. */
export function bm25Scores(queryTokens: readonly string[], documents: readonly (readonly string[])[]): number[] {
  return scoreByBruteForce([...new Set(queryTokens)], documents, { idf: bm25Idf, termScore: bm25TermScore })
}
