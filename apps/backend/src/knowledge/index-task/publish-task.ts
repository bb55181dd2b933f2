import { createHash } from 'node:crypto'
import type { BusinessTables, PublishedVersion } from '../../store/index.ts'
import { throughPort } from '../port-failure.ts'
import { publishDocument } from '../publish-document.ts'
import { removeOlderFiles } from '../document-files.ts'
import { followIndex, removeFromIndexAlone } from '../entry/follow-index.ts'
import type { EmbeddedTask } from './embed-task.ts'
import type { IndexTaskParts } from '../knowledge-parts.ts'
import type { PreparedVersion } from './prepare-task.ts'
import { startTask } from '../start-task.ts'

/** Warnings of a document of a thousand scanned pages must not fill its row. */
const WARNINGS_LIMIT = 100

/**
 * Puts the new version in the place of the old one, and writes down that it is there. Deleting in this process waits
 * while the index is written to, and not for the search engine; that, and another process, may delete in between, so the
 * facts are asked right before and right after, and what should not have been published is taken away again.
 * @throws AppError DATA_LOCKED, STORAGE_FULL, INDEX_MODEL_MISMATCH and the others of an index
 */
export async function publishTask(parts: IndexTaskParts, embedded: EmbeddedTask): Promise<void> {
  const { store, index, locks, settings, dataDirectory } = parts
  const { task, record, prepared, embeddings } = embedded
  const isPublished = await locks.hold(task.documentId, async () => {
    if (!(await store.indexTasks.mayPublish(task.id))) return false
    if (embeddings !== undefined) {
      await publishDocument(index.writer, { record, document: prepared, embeddings, settings })
    }
    return true
  })
  if (!isPublished) return
  await followUnlessDeleted(parts, embedded)
  const isKept = await locks.hold(task.documentId, async () => {
    const kept = await store.transaction((tables) => recordPublished(parts, embedded, tables))
    if (!kept) await removeFromIndexAlone(parts, record, task.documentId)
    else await removeOlderFiles(dataDirectory, task.documentId, record.version)
    return kept
  })
  if (!isKept) await followIndex(parts, record, task.documentId)
}

/**
 * The facts say "indexed" only when the search engine has it too. A failure there ends the attempt, and the document may
 * have been deleted meanwhile: nobody would come back to take it away.
 */
async function followUnlessDeleted(parts: IndexTaskParts, { task, record }: EmbeddedTask): Promise<void> {
  try {
    await followIndex(parts, record, task.documentId)
  } catch (failure) {
    const document = await parts.store.documents.find(task.documentId)
    if (document?.status !== 'active') {
      await throughPort(() => parts.index.writer.deleteDocument(record, task.documentId))
    }
    throw failure
  }
}

/** False when the document was deleted while it was being published. */
async function recordPublished(
  parts: IndexTaskParts,
  embedded: EmbeddedTask,
  tables: BusinessTables
): Promise<boolean> {
  const { task, record } = embedded
  const before = await tables.documents.find(task.documentId)
  if (!(await tables.documents.recordPublished(publishedVersion(embedded)))) return false
  if (await tables.indexTasks.mayPublish(task.id)) return true
  await mendLatePublication(
    parts,
    { ...before!, publishedVersion: record.version, requestedBy: before!.tenantId },
    tables
  )
  return true
}

interface LatePublication {
  readonly id: string
  readonly tenantId: string
  readonly knowledgeBaseId: string
  readonly version: number
  readonly fileName: string
  readonly indexedVersion: number | null
  readonly publishedVersion: number
  readonly requestedBy: string
}

/**
 * Another process cancelled the task in the moment of publishing. The index holds what it made, and the facts say so;
 * if that took the place of something newer, the newest version is indexed again.
 */
async function mendLatePublication(
  parts: IndexTaskParts,
  late: LatePublication,
  tables: BusinessTables
): Promise<void> {
  if ((await tables.indexTasks.open({ documentId: late.id })).length > 0) return
  await tables.documents.moveIndexStatus(late.id, { kind: 'ended' })
  if ((late.indexedVersion ?? 0) <= late.publishedVersion) return
  const { requestedBy } = late
  await startTask(tables, { document: late, requestedBy, maxAttempts: parts.maxAttempts, now: parts.now() })
}

/** What the facts say of a version that the index holds. */
export function publishedVersion({ record, prepared, attributes }: PreparedVersion): PublishedVersion {
  const { title, text, chunks, warnings } = prepared
  const more = warnings.length - WARNINGS_LIMIT
  return {
    documentId: record.documentId,
    version: record.version,
    title,
    text,
    textHash: createHash('sha256').update(text).digest('hex'),
    attributes,
    metadata: record.metadata,
    warnings: more <= 0 ? warnings : [...warnings.slice(0, WARNINGS_LIMIT), `and ${more} more`],
    chunkCount: chunks.length
  }
}
