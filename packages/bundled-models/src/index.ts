export { BUNDLED_MODEL, createBundledEmbedder, type BundledEmbedderOptions } from './embedder/bundled-embedder.ts'
export { createTokenCounter } from './tokenizer/token-counter.ts'
