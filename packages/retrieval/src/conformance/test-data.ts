import type { ChunkToPublish, IndexedDocument, Metadata, ReadablePair } from '../ports/index.ts'
import { Random } from './random.ts'

/** A knowledge base of a tenant; the names only have to differ. */
export function pairOf(tenantId: string, knowledgeBaseId: string): ReadablePair {
  return { tenantId, knowledgeBaseId }
}

export function documentOf(
  pair: ReadablePair,
  documentId: string,
  rest: Partial<Pick<IndexedDocument, 'version' | 'title' | 'source' | 'createdAt' | 'metadata'>> = {}
): IndexedDocument {
  return {
    documentId,
    knowledgeBaseId: pair.knowledgeBaseId,
    tenantId: pair.tenantId,
    ownerUserId: pair.tenantId,
    version: 1,
    title: '',
    source: `${documentId}.md`,
    createdAt: 1_700_000_000_000,
    contentHash: `${documentId}:${rest.version ?? 1}`,
    metadata: {},
    ...rest
  }
}

export interface ChunkDraft {
  readonly content: string
  readonly headingPath?: readonly string[]
  readonly metadata?: Metadata
  readonly vector: Float32Array
}

/** Chunks in order; spans are as if the contents stood in the document one behind the other. */
export function chunksOf(drafts: readonly ChunkDraft[]): ChunkToPublish[] {
  let start = 0
  return drafts.map(({ content, headingPath = [], metadata = {}, vector }, sequence) => {
    const span = { start, end: start + content.length }
    start = span.end + 1
    return { sequence, headingPath, content, ...span, metadata, vector, tokenCount: content.length }
  })
}

/** A random direction of norm 1. */
export function unitVector(dimension: number, random: Random): Float32Array {
  return normalised(Float32Array.from({ length: dimension }, () => random.next() * 2 - 1))
}

/** One for each text, the same for the same text, in directions of their own. */
export function vectorOfText(text: string, dimension: number): Float32Array {
  let seed = 7
  for (let index = 0; index < text.length; index++) seed = (Math.imul(seed, 31) + text.charCodeAt(index)) >>> 0
  return unitVector(dimension, new Random(seed))
}

export function normalised(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector)
  return vector.map((value) => value / norm)
}

/** Chunks of the given contents, each with a vector of its own text. */
export function plainChunks(contents: readonly string[], dimension: number): ChunkToPublish[] {
  return chunksOf(contents.map((content) => ({ content, vector: vectorOfText(content, dimension) })))
}
