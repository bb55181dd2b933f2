import { scoreByBruteForce } from './brute-force.ts'

// BM25L: Yuanhua Lv and ChengXiang Zhai, "When Documents Are Very Long, BM25 Fails!", SIGIR 2011, with the lower bound of
// "Lower-Bounding Term Frequency Normalization", CIKM 2011: delta lifts a term that is there at all, however long the text.

/** Saturation of the term frequency. */
export const BM25L_K1 = 1.5
/** How much the length counts, 0..1. */
export const BM25L_B = 0.75
/** Added to the normalised term frequency of a term that the text has. */
export const BM25L_DELTA = 0.5

/**
 * Weight of a term by its rarity, always above 0.
 * @param chunks chunks in scope
 * @param frequency chunks in scope that have the term, 0..chunks
 */
export function bm25lIdf(chunks: number, frequency: number): number {
  return Math.log(chunks + 1) - Math.log(frequency + 0.5)
}

/**
 * What one term adds to the score of one chunk, before its idf; 0 for a term that the chunk lacks.
 * @param termFrequency how often the chunk has the term
 * @param length tokens of the chunk
 * @param averageLength mean tokens a chunk of the scope
 */
export function bm25lTermScore(termFrequency: number, length: number, averageLength: number): number {
  if (termFrequency === 0) return 0
  const normalised = termFrequency / (1 - BM25L_B + BM25L_B * (length / (averageLength || 1))) + BM25L_DELTA
  return ((BM25L_K1 + 1) * normalised) / (BM25L_K1 + normalised)
}

/** Scores of all documents (token lists) by enumeration; a token that the query repeats counts each time. */
export function bm25lScores(queryTokens: readonly string[], documents: readonly (readonly string[])[]): number[] {
  return scoreByBruteForce(queryTokens, documents, { idf: bm25lIdf, termScore: bm25lTermScore })
}
