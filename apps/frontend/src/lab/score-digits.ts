/** Digits after the point that tell neighbours apart: cosines and relevance lie in 0..1, BM25L does not, RRF is tiny. */
export const scoreDigits = { vector: 3, bm25: 2, rrf: 4, rerank: 3 } as const
