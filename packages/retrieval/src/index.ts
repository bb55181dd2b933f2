export * from './ports/index.ts'
export type * from './chunking/block.ts'
export type * from './chunking/chunk-options.ts'
