import type { DocumentCounts, DocumentFormatName, DocumentView, Page } from '@oncall-agent/api-contracts'
import { type Kysely, sql } from 'kysely'
import {
  deletedAmong,
  eraseContent,
  eraseDeletedBefore,
  eraseTexts,
  leavingIndex,
  markDeleted,
  markDeletedInBase,
  type StrandedDocument,
  strandedDeletions
} from './document-erasure.ts'
import { type IndexingEvent, moveIndexStatus, type PublishedVersion, recordPublished } from './document-indexing.ts'
import { countDocuments, type DocumentFilter, listDocuments } from './document-list.ts'
import {
  attributesOfForm,
  type DocumentForm,
  type Listed,
  nameKeyOf,
  type NewContent,
  type NewDocument,
  type StoredText,
  type StoredVersion,
  viewOfRow
} from './document-rows.ts'
import { nextSequence } from './next-sequence.ts'
import type { BusinessSchema } from './schema.ts'
import type { PageRequest } from './sequence-page.ts'

/** Uploaded documents. What `oncall index` fills has its facts in the folder, and none here. */
export interface DocumentFacts {
  /** Deleted ones too, until they are erased: `status` tells. */
  find(documentId: string): Promise<DocumentView | undefined>
  list(filter: DocumentFilter, page: PageRequest): Promise<Page<DocumentView>>
  counts(knowledgeBaseIds: readonly string[]): Promise<ReadonlyMap<string, DocumentCounts>>
  /** The document of a base that holds these bytes. */
  withBytes(knowledgeBaseId: string, sha256: string): Promise<string | undefined>
  /** The row without its version. False when a document of the base holds the same bytes. */
  insert(document: NewDocument, now: number): Promise<boolean>
  insertVersion(documentId: string, version: number, content: NewContent, now: number): Promise<void>
  /** Puts a version that was inserted at the head; the indexed one stays as it is. */
  advance(documentId: string, version: number, content: NewContent, now: number): Promise<void>
  version(documentId: string, version: number): Promise<StoredVersion | undefined>
  /** Undefined until the version was read. */
  text(documentId: string, version: number): Promise<StoredText | undefined>

  moveIndexStatus(documentId: string, event: IndexingEvent): Promise<void>
  recordPublished(published: PublishedVersion): Promise<boolean>

  markDeleted(documentId: string, now: number): Promise<boolean>
  markDeletedInBase(knowledgeBaseId: string, now: number): Promise<void>
  /**
   * Those of the documents that must not be shown any more, although an index may still find them: deleted, or of a
   * deleted base. One query by primary key.
   */
  deletedAmong(documentIds: readonly string[]): Promise<ReadonlySet<string>>
  leavingIndex(knowledgeBaseIds: readonly string[], limit?: number): Promise<readonly string[]>
  strandedDeletions(jobKinds: readonly string[], limit: number): Promise<readonly StrandedDocument[]>
  eraseTexts(documentId: string): Promise<void>
  eraseContent(documentId: string): Promise<void>
  eraseDeletedBefore(time: number, limit: number): Promise<number>
  /** Those of the ids that name a document which may have files: one that is not erased. */
  withContent(documentIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Every document, deleted ones too, oldest first, from behind a sequence on. */
  all(after: number, limit: number): Promise<readonly Listed<DocumentView>[]>
}

export function documentFacts(database: Kysely<BusinessSchema>): DocumentFacts {
  return {
    find: (id) => findDocument(database, id),
    list: (filter, page) => listDocuments(database, filter, page),
    counts: (baseIds) => countDocuments(database, baseIds),
    withBytes: (baseId, sha256) => documentWithBytes(database, baseId, sha256),
    insert: (document, now) => insertDocument(database, document, now),
    insertVersion: (id, version, content, now) => insertVersion(database, { id, version, now }, content),
    advance: (id, version, content, now) => advanceDocument(database, { id, version, now }, content),
    version: (id, version) => findVersion(database, id, version),
    text: (id, version) => findText(database, id, version),
    moveIndexStatus: (id, event) => moveIndexStatus(database, id, event),
    recordPublished: (published) => recordPublished(database, published),
    markDeleted: (id, now) => markDeleted(database, id, now),
    markDeletedInBase: (baseId, now) => markDeletedInBase(database, baseId, now),
    deletedAmong: (ids) => deletedAmong(database, ids),
    leavingIndex: (baseIds, limit) => leavingIndex(database, baseIds, limit),
    strandedDeletions: (kinds, limit) => strandedDeletions(database, kinds, limit),
    eraseTexts: (id) => eraseTexts(database, id),
    eraseContent: (id) => eraseContent(database, id),
    eraseDeletedBefore: (time, limit) => eraseDeletedBefore(database, time, limit),
    withContent: (ids) => documentsWithContent(database, ids),
    all: (after, limit) => allDocuments(database, after, limit)
  }
}

async function findDocument(database: Kysely<BusinessSchema>, id: string): Promise<DocumentView | undefined> {
  const row = await database.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : viewOfRow(row)
}

/** By the unique index that decides who was first. */
async function documentWithBytes(
  database: Kysely<BusinessSchema>,
  knowledgeBaseId: string,
  sha256: string
): Promise<string | undefined> {
  const row = await database
    .selectFrom('document')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('sha256', '=', sha256)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

async function insertDocument(
  database: Kysely<BusinessSchema>,
  { id, tenantId, knowledgeBaseId, ...content }: NewDocument,
  now: number
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('document')
    .values({
      ...headOf(1, content, content.form.title ?? null),
      id,
      sequence: nextSequence('document'),
      tenant_id: tenantId,
      knowledge_base_id: knowledgeBaseId,
      indexed_version: null,
      status: 'active',
      index_status: 'pending',
      failure_json: null,
      attributes_json: JSON.stringify(attributesOfForm(content.form)),
      uploaded_by: content.uploadedBy,
      created_at: nextCreation(now),
      updated_at: now,
      deleted_at: null
    })
    .onConflict((conflict) =>
      conflict.columns(['knowledge_base_id', 'sha256']).where('deleted_at', 'is', null).doNothing()
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * With the id, the creation time is a document's place in the corpus, so that each must be later than the one before,
 * also when many are uploaded within one millisecond or the clock is set back.
 */
function nextCreation(now: number) {
  return sql<number>`max(${now}, coalesce((SELECT created_at + 1 FROM document ORDER BY sequence DESC LIMIT 1), 0))`
}

interface VersionOf {
  readonly id: string
  readonly version: number
  readonly now: number
}

/** Text and its hash are null until the version is indexed. */
async function insertVersion(
  database: Kysely<BusinessSchema>,
  { id, version, now }: VersionOf,
  content: NewContent
): Promise<void> {
  await database
    .insertInto('document_version')
    .values({
      document_id: id,
      version,
      file_name: content.fileName,
      media_type: content.mediaType,
      format: content.format,
      byte_size: content.byteSize,
      sha256: content.sha256,
      form_json: JSON.stringify(content.form),
      title: content.form.title ?? null,
      text: null,
      text_hash: null,
      uploaded_by: content.uploadedBy,
      created_at: now
    })
    .execute()
}

/** Title and attributes are those of what is indexed, and the form's only while nothing is. */
async function advanceDocument(
  database: Kysely<BusinessSchema>,
  { id, version, now }: VersionOf,
  content: NewContent
): Promise<void> {
  const active = database.selectFrom('document').where('id', '=', id).where('status', '=', 'active')
  const before = await active.select(['title', 'indexed_version', 'attributes_json']).executeTakeFirst()
  if (before === undefined) return
  const isIndexed = before.indexed_version !== null
  const title = isIndexed ? before.title : (content.form.title ?? null)
  await database
    .updateTable('document')
    .set({
      ...headOf(version, content, title),
      attributes_json: isIndexed ? before.attributes_json : JSON.stringify(attributesOfForm(content.form)),
      updated_at: now
    })
    .where('id', '=', id)
    .execute()
}

/** What a document's row tells of its newest version. */
function headOf(version: number, content: NewContent, title: string | null) {
  return {
    file_name: content.fileName,
    title,
    name_key: nameKeyOf(content.fileName, title),
    media_type: content.mediaType,
    format: content.format,
    byte_size: content.byteSize,
    sha256: content.sha256,
    version
  }
}

/** Without its text, which may be megabytes. */
async function findVersion(
  database: Kysely<BusinessSchema>,
  documentId: string,
  version: number
): Promise<StoredVersion | undefined> {
  const row = await database
    .selectFrom('document_version')
    .select(['file_name', 'format', 'sha256', 'form_json'])
    .where('document_id', '=', documentId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    documentId,
    version,
    fileName: row.file_name,
    format: row.format as DocumentFormatName,
    sha256: row.sha256,
    form: JSON.parse(row.form_json) as DocumentForm
  }
}

async function findText(
  database: Kysely<BusinessSchema>,
  documentId: string,
  version: number
): Promise<StoredText | undefined> {
  const row = await database
    .selectFrom('document_version')
    .select(['title', 'text'])
    .where('document_id', '=', documentId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (row === undefined || row.text === null) return undefined
  return { version, title: row.title ?? '', text: row.text }
}

/** A document has a version row from its first commit until it is purged. */
async function documentsWithContent(
  database: Kysely<BusinessSchema>,
  documentIds: readonly string[]
): Promise<ReadonlySet<string>> {
  if (documentIds.length === 0) return new Set()
  const rows = await database
    .selectFrom('document_version')
    .select('document_id')
    .distinct()
    .where('document_id', 'in', documentIds)
    .execute()
  return new Set(rows.map((row) => row.document_id))
}

/** By sequence, so that a row which is added meanwhile is met at the end. */
async function allDocuments(
  database: Kysely<BusinessSchema>,
  after: number,
  limit: number
): Promise<readonly Listed<DocumentView>[]> {
  const rows = await database
    .selectFrom('document')
    .selectAll()
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ sequence: row.sequence, item: viewOfRow(row) }))
}
