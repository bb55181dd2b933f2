import type { DocumentWriter } from '@oncall-agent/retrieval'
import type { KnowledgeBaseRef } from './document-identity.ts'
import { placeToPath } from './folder/resolve-roots.ts'
import { throughPort } from './port-failure.ts'

/** What a run has to know of a document that is in the index already. */
export interface KnownDocument {
  readonly contentHash: string
  readonly version: number
  readonly createdAt: number
  readonly source: string
  /** The file it came from; absent for documents that came from no folder. */
  readonly path?: string
}

/** All documents of a knowledge base, by id. */
export async function listKnown(
  index: DocumentWriter,
  { tenantId, knowledgeBaseId }: KnowledgeBaseRef
): Promise<ReadonlyMap<string, KnownDocument>> {
  const documents = await throughPort(() => index.listDocuments({ tenantId, knowledgeBaseId }))
  return new Map(
    documents.map(({ documentId, contentHash, version, createdAt, source, metadata }) => {
      const path = typeof metadata.folder === 'string' ? { path: placeToPath(metadata.folder, source) } : {}
      return [documentId, { contentHash, version, createdAt, source, ...path }]
    })
  )
}
