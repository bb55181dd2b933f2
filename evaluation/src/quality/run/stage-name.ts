/** Ranked lists that are measured, in the order of the pipeline. */
export const stageNames = ['lexical', 'vector', 'fused', 'reranked'] as const
export type StageName = (typeof stageNames)[number]

/** How a set's documents become chunks: as uploads are cut, or one chunk a document. */
export const chunkings = ['product', 'whole'] as const
export type Chunking = (typeof chunkings)[number]
