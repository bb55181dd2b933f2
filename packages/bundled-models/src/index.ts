export { createBundledEmbedder, type BundledEmbedderOptions } from './embedder/bundled-embedder.ts'
export {
  createBundledReranker,
  type BundledReranker,
  type BundledRerankerOptions
} from './reranker/bundled-reranker.ts'
export { createTokenCounter } from './tokenizer/token-counter.ts'
