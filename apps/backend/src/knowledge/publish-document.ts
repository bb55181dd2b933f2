import { createHash } from 'node:crypto'
import type {
  ChunkToPublish,
  DocumentWriter,
  IndexedDocument,
  Metadata,
  PassageEmbedding
} from '@oncall-agent/retrieval'
import { entryTextOf, withVector } from './entry/document-entry.ts'
import type { PreparedDocument } from './extract/extracted-document.ts'
import { throughPort } from './port-failure.ts'
import type { KnowledgeSettings } from './settings.ts'

export interface Publication {
  readonly record: Omit<IndexedDocument, 'title'>
  readonly document: PreparedDocument
  readonly embeddings: readonly PassageEmbedding[]
  readonly settings: Pick<KnowledgeSettings, 'chunking' | 'entries'>
}

/**
 * Puts one embedded document in the place of its previous version, whole: its chunks and its entry.
 * @throws AppError DATA_LOCKED, STORAGE_FULL and the others of an index
 */
export async function publishDocument(writer: DocumentWriter, publication: Publication): Promise<void> {
  const { record, document, embeddings, settings } = publication
  const about = chunkMetadata(publication)
  const chunks = document.chunks.map((chunk, index): ChunkToPublish => {
    const { vector, tokenVectors, tokenCount } = embeddings[index]!
    return {
      sequence: chunk.sequence,
      headingPath: chunk.headingPath,
      content: chunk.content,
      start: chunk.start,
      end: chunk.end,
      metadata: chunk.page === undefined ? about : { ...about, page: chunk.page },
      vector,
      tokenCount,
      ...(tokenVectors === undefined ? {} : { tokenVectors })
    }
  })
  const entry = withVector(
    entryTextOf(publication, settings.entries),
    embeddings.map(({ vector }) => vector)
  )
  await throughPort(() => writer.replaceDocument({ ...record, title: document.title }, chunks, entry))
}

/** What every chunk of a document says of how it came to be; a front matter cannot overwrite it. */
function chunkMetadata({ record, document, settings: { chunking } }: Publication): Metadata {
  const { knowledgeType, project, equipment } = document.attributes
  return {
    strategy: document.strategy,
    ...(document.strategy === 'whole'
      ? {}
      : { chunkSize: chunking.size, chunkOverlap: chunking.overlap, chunkUnit: chunking.unit }),
    ...(knowledgeType === undefined ? {} : { knowledgeType }),
    ...(project === undefined ? {} : { project }),
    ...(equipment === undefined ? {} : { equipment }),
    ownerUserId: record.ownerUserId,
    tenantId: record.tenantId,
    documentVersion: record.version,
    textHash: createHash('sha256').update(document.text).digest('hex')
  }
}
