import {
  type ChunkToPublish,
  type Embedder,
  type KnowledgeIndex,
  type PassageEmbedding,
  type ReadablePair,
  searchedText
} from '@oncall-agent/retrieval'
import type { EvaluationSet, SetDocument } from '../sets/evaluation-set.ts'

/** The one tenant and knowledge base of an evaluation. */
export const evaluationPair: ReadablePair = { tenantId: 'evaluation', knowledgeBaseId: 'set' }

/** Cuts one document; no chunk at all is allowed (a document without text). */
export type CutDocument = (document: SetDocument) => readonly ChunkDraft[]

/** A chunk before it is embedded. */
export type ChunkDraft = Pick<ChunkToPublish, 'sequence' | 'headingPath' | 'content' | 'start' | 'end'>

/** One chunk a document, as a reference without chunking sees it; the embedder reads its first 512 tokens. */
export const cutWhole: CutDocument = ({ text }) => [
  { sequence: 0, headingPath: [], content: text, start: 0, end: text.length }
]

/** What an index without vectors is filled with: any unit vector, because nobody will ask for the nearest. */
export type EmbedDrafts = (texts: readonly string[]) => Promise<readonly PassageEmbedding[]>

export function embedWith(embedder: Embedder, signal: AbortSignal): EmbedDrafts {
  return (texts) => embedder.embedPassages(texts, signal)
}

/** @param dimension width that the index was opened with */
export function withoutModel(dimension: number): EmbedDrafts {
  const vector = Float32Array.from({ length: dimension }, (_, index) => Number(index === 0))
  return async (texts) => texts.map((text) => ({ vector, tokenCount: text.length }))
}

/** Publishes a set's documents in the order of their file, which so becomes the corpus order. Returns the chunks. */
export async function publishSet(
  set: EvaluationSet,
  index: Pick<KnowledgeIndex, 'writer'>,
  cut: CutDocument,
  embed: EmbedDrafts
): Promise<number> {
  const drafts = set.documents.map((document) => ({ document, chunks: cut(document) }))
  const texts = drafts.flatMap(({ document, chunks }) =>
    chunks.map((chunk) => searchedText({ title: document.title, ...chunk }))
  )
  const embeddings = await embed(texts)
  let next = 0
  for (const [position, { document, chunks }] of drafts.entries()) {
    const toPublish = chunks.map((chunk) => ({ ...chunk, metadata: {}, ...embeddings[next++]! }))
    await index.writer.replaceDocument(indexedDocument(document, position), toPublish)
  }
  return texts.length
}

function indexedDocument(document: SetDocument, position: number) {
  return {
    documentId: document.id,
    ...evaluationPair,
    ownerUserId: evaluationPair.tenantId,
    version: 1,
    title: document.title,
    source: document.id,
    createdAt: position,
    contentHash: document.id,
    metadata: {}
  }
}
