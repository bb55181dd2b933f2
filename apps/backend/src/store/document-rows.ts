import type {
  DocumentAttributes,
  DocumentFormatName,
  DocumentView,
  Failure,
  UploadForm
} from '@oncall-agent/api-contracts'
import type { Selectable } from 'kysely'
import type { BusinessSchema } from './schema.ts'

/** One row of a list, with what its cursor is made of. */
export interface Listed<Item> {
  readonly sequence: number
  readonly item: Item
}

/** What an upload says of a document beside its bytes; kept with each version. */
export type DocumentForm = Omit<UploadForm, 'index'>

/** The bytes of one version, and who brought them. */
export interface NewContent {
  readonly fileName: string
  readonly mediaType: string
  readonly format: DocumentFormatName
  readonly byteSize: number
  readonly sha256: string
  readonly form: DocumentForm
  readonly uploadedBy: string
}

export interface NewDocument extends NewContent {
  readonly id: string
  readonly tenantId: string
  readonly knowledgeBaseId: string
}

/** What is kept of a version for indexing it. */
export interface StoredVersion {
  readonly documentId: string
  readonly version: number
  readonly fileName: string
  readonly format: DocumentFormatName
  readonly sha256: string
  readonly form: DocumentForm
}

export interface StoredText {
  readonly version: number
  readonly title: string
  readonly text: string
}

/** Name and title as "contains" compares them: composed, in small letters, apart from one another. */
export function nameKeyOf(fileName: string, title: string | null): string {
  return foldName(`${fileName}\n${title ?? ''}`)
}

export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** What is known of a document's attributes before it was read. */
export function attributesOfForm(form: DocumentForm): DocumentAttributes {
  const { knowledgeType = null, project = null, equipment = null, errorCodes = [] } = form
  return { knowledgeType, project, equipment, errorCodes }
}

export function viewOfRow(row: Selectable<BusinessSchema['document']>): DocumentView {
  return {
    id: row.id,
    knowledgeBaseId: row.knowledge_base_id,
    ownerUserId: row.tenant_id,
    tenantId: row.tenant_id,
    fileName: row.file_name,
    title: row.title,
    mediaType: row.media_type,
    format: row.format as DocumentFormatName,
    byteSize: row.byte_size,
    sha256: row.sha256,
    version: row.version,
    indexedVersion: row.indexed_version,
    status: row.status,
    indexStatus: row.index_status,
    failure: row.failure_json === null ? null : (JSON.parse(row.failure_json) as Failure),
    warnings: JSON.parse(row.warnings_json) as string[],
    attributes: JSON.parse(row.attributes_json) as DocumentAttributes,
    metadata: JSON.parse(row.metadata_json) as DocumentView['metadata'],
    chunkCount: row.chunk_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}
