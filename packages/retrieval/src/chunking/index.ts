export type * from './block.ts'
export { chunkDocument } from './chunk-document.ts'
export type * from './chunk-options.ts'
export { MAX_CHUNK_CHARACTERS } from './gauge.ts'
