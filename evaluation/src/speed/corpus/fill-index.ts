import type { ChunkToPublish, DocumentWriter, IndexedDocument, PassageEmbedding } from '@oncall-agent/retrieval'
import type { BenchCorpus } from './bench-corpus.ts'
import type { DocumentSlot } from './layout.ts'

/** Vectors of a chunk beyond its position in the corpus: token vectors, when the index is to keep them. */
export type ExtraOf = (chunk: number) => Pick<PassageEmbedding, 'tokenVectors' | 'tokenCount'>

/** Tokens by the embedder's count that synthetic chunks are said to have. */
const statedTokens = 300

export const withoutTokenVectors: ExtraOf = () => ({ tokenCount: statedTokens })

/** Publishes every document of a corpus, in order. */
export async function fillIndex(
  corpus: BenchCorpus,
  writer: DocumentWriter,
  extraOf: ExtraOf,
  watch: { readonly signal: AbortSignal; readonly onChunks: (done: number) => void }
): Promise<void> {
  for (const slot of corpus.layout.documents) {
    watch.signal.throwIfAborted()
    await writer.replaceDocument(documentOf(corpus, slot, 1), chunksOf(corpus, slot, extraOf))
    watch.onChunks(slot.first + slot.count)
  }
}

/** A document of the corpus as the index knows it; its place in the corpus is its time of creation. */
export function documentOf(corpus: BenchCorpus, slot: DocumentSlot, version: number): IndexedDocument {
  const { tenantId } = corpus
  return {
    documentId: slot.documentId,
    knowledgeBaseId: corpus.knowledgeBaseId(slot.knowledgeBaseId),
    tenantId,
    ownerUserId: tenantId,
    version,
    title: `Runbook ${slot.documentId}`,
    source: `${slot.documentId}.md`,
    createdAt: slot.first,
    contentHash: `${slot.documentId}-${version}`,
    metadata: {}
  }
}

/** Chunks of a document, made when they are needed: the whole corpus does not fit in memory. */
export function chunksOf(corpus: BenchCorpus, slot: DocumentSlot, extraOf: ExtraOf): readonly ChunkToPublish[] {
  let start = 0
  return Array.from({ length: slot.count }, (_, sequence) => {
    const number = slot.first + sequence
    const content = corpus.text(number)
    const chunk = {
      sequence,
      headingPath: [],
      content,
      start,
      end: start + content.length,
      metadata: {},
      vector: corpus.vector(number),
      ...extraOf(number)
    }
    start += content.length + 1
    return chunk
  })
}
