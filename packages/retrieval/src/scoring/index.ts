export { BM25_B, BM25_K1, bm25Idf, bm25Scores, bm25TermScore } from './bm25.ts'
export { BM25L_B, BM25L_DELTA, BM25L_K1, bm25lIdf, bm25lScores, bm25lTermScore } from './bm25l.ts'
export { topScores } from './top-scores.ts'
