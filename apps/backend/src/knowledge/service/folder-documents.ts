import {
  type DocumentFormatName,
  documentFormatSchema,
  type DocumentsQuery,
  type DocumentView,
  type Page
} from '@oncall-agent/api-contracts'
import { chunkIdOf, type ListedDocument } from '@oncall-agent/retrieval'
import { type Caller, LOCAL_TENANT, tenantsReadBy } from '../../auth/index.ts'
import { pageOfRows, pageStart, type StoredBase } from '../../store/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { throughPort } from '../port-failure.ts'
import { accessTo, type ReadableDocument } from './access.ts'
import { mediaTypeOf } from './media-type.ts'

/** Documents of a base that `oncall index` fills: their facts are the folder, and what is known of them the index. */
export async function listFolderDocuments(
  parts: KnowledgeParts,
  base: StoredBase,
  query: DocumentsQuery
): Promise<Page<DocumentView>> {
  const name = query.name?.normalize('NFC').toLowerCase()
  const documents = query.indexStatus === undefined || query.indexStatus === 'indexed' ? await listed(parts, base) : []
  const rows = documents
    // Their place in the corpus is their sequence: the newest has the greatest.
    .map((document, at) => ({ sequence: at + 1, document }))
    .filter(({ document: { source, title } }) => {
      return name === undefined || `${source}\n${title}`.normalize('NFC').toLowerCase().includes(name)
    })
    .toReversed()
  const from = pageStart(query)
  const page = rows.filter(({ sequence }) => sequence < from).slice(0, query.limit + 1)
  return pageOfRows(page, query, rows.length, ({ document }) => viewOf(document))
}

/** One of them, if the caller may read what `oncall index` fills. */
export async function folderDocument(
  parts: KnowledgeParts,
  caller: Caller,
  documentId: string
): Promise<ReadableDocument | undefined> {
  if (!tenantsReadBy(caller).includes(LOCAL_TENANT)) return undefined
  const bases = await parts.store.knowledgeBases.ofTenant(LOCAL_TENANT)
  const [first] = await throughPort(() =>
    parts.index.chunks.read({
      chunkIds: [chunkIdOf(documentId, 0)],
      scope: { pairs: bases.map(({ id }) => ({ tenantId: LOCAL_TENANT, knowledgeBaseId: id })) },
      withVectors: false,
      withTokenVectors: false
    })
  )
  const base = first && (await parts.store.knowledgeBases.find(first.document.knowledgeBaseId))
  if (base === undefined) return undefined
  const document = (await listed(parts, base)).find((each) => each.documentId === documentId)
  return document === undefined ? undefined : { document: viewOf(document), in: accessTo(base, caller) }
}

/** All of them, in corpus order: the index has no pages, and answers for ten thousand within some milliseconds. */
function listed({ index }: KnowledgeParts, { id, tenantId }: StoredBase): Promise<readonly ListedDocument[]> {
  return throughPort(() => index.writer.listDocuments({ tenantId, knowledgeBaseId: id }))
}

/** Size and hash of the bytes are the folder's to know: 0 and nothing. */
function viewOf(document: ListedDocument): DocumentView {
  const { documentId, knowledgeBaseId, ownerUserId, tenantId, source, title, version, metadata, createdAt } = document
  const format = formatOf(metadata.format)
  return {
    id: documentId,
    knowledgeBaseId,
    ownerUserId,
    tenantId,
    fileName: source,
    title,
    mediaType: mediaTypeOf(format),
    format,
    byteSize: 0,
    sha256: '',
    version,
    indexedVersion: version,
    status: 'active',
    indexStatus: 'indexed',
    failure: null,
    warnings: [],
    attributes: {
      knowledgeType: textOf(metadata.knowledge_type ?? metadata.knowledgeType),
      project: textOf(metadata.project),
      equipment: textOf(metadata.equipment),
      errorCodes: []
    },
    // `folder` is a path of the server's machine.
    metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== 'folder')),
    chunkCount: document.chunks,
    createdAt,
    updatedAt: createdAt
  }
}

/** What an older release indexed may name no format: it is shown as text. */
function formatOf(value: unknown): DocumentFormatName {
  return documentFormatSchema.catch('text').parse(value)
}

/** Front matter may hold a number or a truth value where a name is meant. */
function textOf(value: unknown): string | null {
  return value === undefined ? null : String(value)
}
