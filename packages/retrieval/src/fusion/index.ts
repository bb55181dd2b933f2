export { fuse, RRF_K } from './rrf.ts'
export type { FusedItem, FuseOptions } from './rrf.ts'
