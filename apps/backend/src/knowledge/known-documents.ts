import type { DocumentWriter, StructuredIndex } from '@oncall-agent/retrieval'
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

/** No hash is this one, so that what has it counts as changed. */
const NOT_WHOLE = ''

/**
 * All documents of a knowledge base, by id.
 * @param entries of the same index: a document without one (an earlier release indexed it) counts as changed
 */
export async function listKnown(
  index: DocumentWriter,
  { tenantId, knowledgeBaseId }: KnowledgeBaseRef,
  entries?: Pick<StructuredIndex, 'listDocuments'>
): Promise<ReadonlyMap<string, KnownDocument>> {
  const pair = { tenantId, knowledgeBaseId }
  const documents = await throughPort(() => index.listDocuments(pair))
  const listed = entries && (await throughPort(() => entries.listDocuments(pair)))
  const withEntry = listed && new Set(listed.map(({ documentId }) => documentId))
  return new Map(
    documents.map(({ documentId, contentHash: hash, version, createdAt, source, metadata }) => {
      const path = typeof metadata.folder === 'string' ? { path: placeToPath(metadata.folder, source) } : {}
      const contentHash = withEntry === undefined || withEntry.has(documentId) ? hash : NOT_WHOLE
      return [documentId, { contentHash, version, createdAt, source, ...path }]
    })
  )
}
