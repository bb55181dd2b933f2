export { openEmbeddedIndex } from './open-embedded-index.ts'
export type { EmbeddedIndex, EmbeddedIndexOptions } from './open-embedded-index.ts'
export { createPlainRead } from './vectors/scan-kernel.ts'
