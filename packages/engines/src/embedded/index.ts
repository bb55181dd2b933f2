export { openEmbeddedIndex } from './open-embedded-index.ts'
export type { EmbeddedIndexOptions } from './open-embedded-index.ts'
export type { EmbeddedIndex } from './embedded-index.ts'
export { createPlainRead } from './vectors/scan-kernel.ts'
