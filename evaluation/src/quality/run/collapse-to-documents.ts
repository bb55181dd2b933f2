/** A ranked chunk: what it is part of, and the score of the stage where it has one. */
export interface RankedChunk {
  readonly documentId: string
  readonly score: number | null
}

/** Documents in the order of their best chunk, each once, with that chunk's score. */
export function collapseToDocuments(chunks: readonly RankedChunk[]): readonly RankedChunk[] {
  const best = new Map<string, RankedChunk>()
  for (const chunk of chunks) if (!best.has(chunk.documentId)) best.set(chunk.documentId, chunk)
  return [...best.values()]
}
