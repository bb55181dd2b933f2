import type { ChunkToPublish, IndexedDocument } from '@oncall-agent/retrieval'
import { chunksOf, documentOf, pairOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { TEST_DIMENSION } from './temporary-index.ts'

/** A document whose every chunk says which version it is of, so that a mix of two versions shows. */
export const MARKED = pairOf('tenant', 'kb')
export const MARKED_ID = 'marked'

export function markOf(version: number): string {
  return `mark${version}`
}

/** Versions differ in their number of chunks, so that one that is missing some shows as well. */
export function chunksOfVersion(version: number): number {
  return 5 + (version % 7)
}

export function markedDocument(version: number): { document: IndexedDocument; chunks: ChunkToPublish[] } {
  const random = new Random(version)
  const drafts = Array.from({ length: chunksOfVersion(version) }, (_, index) => ({
    content: `shared ${markOf(version)} chunk ${index} 重启服务`,
    metadata: { mark: version },
    vector: unitVector(TEST_DIMENSION, random)
  }))
  return { document: documentOf(MARKED, MARKED_ID, { version }), chunks: chunksOf(drafts) }
}
