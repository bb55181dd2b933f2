import { stat } from 'node:fs/promises'
import type { DocumentChunk, DocumentsQuery, DocumentText, DocumentView, Page } from '@oncall-agent/api-contracts'
import { AppError } from '@oncall-agent/api-contracts'
import { chunkIdOf, type StoredChunk } from '@oncall-agent/retrieval'
import type { Caller } from '../../auth/index.ts'
import { pageOfRows, type PageRequest, pageStart } from '../../store/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { throughPort } from '../port-failure.ts'
import { notFound, type ReadableDocument, readableBase, uploadedDocument } from './access.ts'
import { storedFile } from '../document-files.ts'
import { folderDocument, listFolderDocuments } from './folder-documents.ts'
import type { StoredContent } from './knowledge-service.ts'
import { textOfChunks } from './text-of-chunks.ts'

/** Chunks that are read at once. */
const CHUNKS_READ = 200

/** Who asks for which document. */
export interface DocumentRequest {
  readonly caller: Caller
  readonly documentId: string
}

/** Newest first, by state and by a part of the name or title. @throws AppError NOT_FOUND, VALIDATION_FAILED (cursor) */
export async function listDocuments(
  parts: KnowledgeParts,
  { caller, baseId }: { readonly caller: Caller; readonly baseId: string },
  query: DocumentsQuery
): Promise<Page<DocumentView>> {
  const { base, origin } = await readableBase(parts, caller, baseId)
  if (origin === 'folder') return listFolderDocuments(parts, base, query)
  const { indexStatus, name } = query
  return parts.store.documents.list({ knowledgeBaseId: baseId, indexStatus, name }, query)
}

/** @throws AppError NOT_FOUND */
export async function readableDocument(
  parts: KnowledgeParts,
  { caller, documentId }: DocumentRequest
): Promise<ReadableDocument> {
  const found = (await uploadedDocument(parts, caller, documentId)) ?? (await folderDocument(parts, caller, documentId))
  if (found === undefined) throw notFound('document', documentId)
  return found
}

/** The newest version's file. @throws AppError NOT_FOUND, also for a file of a folder */
export async function documentContent(parts: KnowledgeParts, request: DocumentRequest): Promise<StoredContent> {
  const { document, in: of } = await readableDocument(parts, request)
  if (of.origin === 'folder') throw keptInFolder(document.id)
  const { id: documentId, version, fileName, mediaType, byteSize, sha256 } = document
  const path = storedFile(parts.dataDirectory, { documentId, version })
  // A replacement that is indexed by now has taken the file away: the next request finds the new one.
  const found = await stat(path).catch((cause: unknown) => {
    throw new AppError('SYSTEM_UNAVAILABLE', { operation: 'read stored file', subject: documentId, cause })
  })
  if (found.size === byteSize) return { fileName, mediaType, byteSize, sha256, path }
  throw new AppError('DATA_CORRUPT', { operation: 'read stored file', subject: documentId })
}

/**
 * Of a file of a folder it is put together from its chunks: the text is there and not here.
 * @param version the indexed one when undefined. @throws AppError NOT_FOUND also while that was not read
 */
export async function documentText(
  parts: KnowledgeParts,
  request: DocumentRequest,
  version: number | undefined
): Promise<DocumentText> {
  const { document, in: of } = await readableDocument(parts, request)
  if (of.origin === 'folder') return folderText(parts, document, version)
  const wanted = version ?? document.indexedVersion
  const found = wanted === null ? undefined : await parts.store.documents.text(document.id, wanted)
  if (found !== undefined) return { documentId: document.id, ...found }
  throw notIndexed(document.id, wanted)
}

function notIndexed(subject: string, version: number | null): AppError {
  const message =
    version === null ? 'The document was not indexed yet.' : `Version ${version} of the document was not indexed.`
  return new AppError('NOT_FOUND', { operation: 'read text', subject, message })
}

/** A folder has one version of each file. */
async function folderText(
  parts: KnowledgeParts,
  document: DocumentView,
  version: number | undefined
): Promise<DocumentText> {
  const { id: documentId, title, fileName } = document
  if (version !== undefined && version !== document.version) throw notIndexed(documentId, version)
  const chunks: StoredChunk[] = []
  for (let from = 0; from < document.chunkCount; from += CHUNKS_READ) {
    chunks.push(
      ...(await readChunks(parts, document, { from, count: Math.min(CHUNKS_READ, document.chunkCount - from) }))
    )
  }
  return { documentId, version: document.version, title: title ?? fileName, text: textOfChunks(chunks) }
}

/**
 * The chunks of the indexed version, in order; the cursor is the last one's sequence. A version that is replaced
 * between two pages goes on with the new one's chunks.
 */
export async function documentChunks(
  parts: KnowledgeParts,
  request: DocumentRequest,
  page: PageRequest
): Promise<Page<DocumentChunk>> {
  const { document } = await readableDocument(parts, request)
  const { chunkCount } = document
  const from = page.cursor === undefined ? 0 : pageStart(page) + 1
  const count = Math.max(0, Math.min(page.limit + 1, chunkCount - from))
  return pageOfRows(await readChunks(parts, document, { from, count }), page, chunkCount, chunkView)
}

function readChunks(
  { index }: KnowledgeParts,
  { id, tenantId, knowledgeBaseId }: DocumentView,
  { from, count }: { readonly from: number; readonly count: number }
): Promise<readonly StoredChunk[]> {
  return throughPort(() =>
    index.chunks.read({
      chunkIds: Array.from({ length: count }, (_, at) => chunkIdOf(id, from + at)),
      scope: { pairs: [{ tenantId, knowledgeBaseId }] },
      withVectors: false,
      withTokenVectors: false
    })
  )
}

/** Without `folder`, which is a path of the server's machine. */
function chunkView(chunk: StoredChunk): DocumentChunk {
  const { chunkId, sequence, headingPath, content, start, end, tokenCount, metadata } = chunk
  const { folder: _, ...shown } = metadata
  return { chunkId, sequence, headingPath, content, start, end, tokenCount, metadata: shown }
}

function keptInFolder(documentId: string): AppError {
  return new AppError('NOT_FOUND', {
    operation: 'read document',
    subject: documentId,
    message: 'The document lies in a folder that `oncall index` read; its file is there and not here.',
    hint: 'Its text and its chunks can be read.'
  })
}
