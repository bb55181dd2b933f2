import { randomUUID } from 'node:crypto'
import {
  AppError,
  type DocumentView,
  type IndexTask,
  invalidInput,
  type UploadAnswer,
  type UploadForm
} from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { BusinessTables, NewContent } from '../../store/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { startTask } from '../start-task.ts'
import { notFound, ownBase } from './access.ts'
import { shownName } from './display-name.ts'
import { adoptFile, removeFiles } from '../document-files.ts'
import type { ReceivedFile } from './knowledge-service.ts'
import { documentForm, inspectFile } from './new-content.ts'

/** `task` is null when indexing was not asked for. */
interface Uploaded {
  readonly document: DocumentView
  readonly task: IndexTask | null
}

export interface UploadRequest {
  readonly caller: Caller
  readonly baseId: string
  readonly form: UploadForm
  readonly files: readonly ReceivedFile[]
}

/** Takes or refuses each file for itself. @throws AppError of the first file when none was taken */
export async function upload(parts: KnowledgeParts, request: UploadRequest): Promise<UploadAnswer> {
  const { files } = request
  await ownBase(parts, request.caller, request.baseId)
  const documents: Uploaded[] = []
  const refused: { readonly fileName: string; readonly error: AppError }[] = []
  for (const file of files) {
    try {
      documents.push(await uploadFile(parts, request, file))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.push({ fileName: shownName(file.fileName), error })
    }
  }
  if (documents.some(({ task }) => task !== null)) parts.onEnqueued()
  const [first] = documents
  if (first === undefined)
    throw refused[0]?.error ?? invalidInput([{ field: 'file', problem: 'there must be at least one' }])
  return {
    ...first,
    documents,
    refused: refused.map(({ fileName, error: { code, message, details } }) => ({
      fileName,
      code,
      message,
      ...(details === undefined ? {} : { details })
    }))
  }
}

/**
 * The file is moved to its place before the document is committed, so that no document is ever without its file; a
 * process that dies in between leaves a folder that the next start removes.
 */
async function uploadFile(parts: KnowledgeParts, request: UploadRequest, file: ReceivedFile): Promise<Uploaded> {
  const { caller, form } = request
  const content = await inspectFile(parts, { file, form: documentForm(form), uploadedBy: caller.userId })
  await expectNewBytes(parts.store, request.baseId, content)
  const id = randomUUID()
  await adoptFile(parts.dataDirectory, file.path, { documentId: id, version: 1 })
  try {
    return await parts.store.transaction((tables) => insert(parts, { ...request, id, content }, tables))
  } catch (error) {
    await removeFiles(parts.dataDirectory, id)
    throw error
  }
}

interface Insertion extends UploadRequest {
  readonly id: string
  readonly content: NewContent
}

/** The document, its first version and, when asked for, its task: one transaction. */
async function insert(parts: KnowledgeParts, request: Insertion, tables: BusinessTables): Promise<Uploaded> {
  const { id, caller, baseId, form, content } = request
  const now = parts.now()
  // Asked again: the base may have been deleted, and the same bytes may have come, while the file was looked at.
  const base = await tables.knowledgeBases.find(baseId)
  if (base === undefined) throw notFound('knowledge base', baseId)
  const { tenantId } = base
  if (!(await tables.documents.insert({ ...content, id, tenantId, knowledgeBaseId: baseId }, now))) {
    await expectNewBytes(tables, baseId, content)
  }
  await tables.documents.insertVersion(id, 1, content, now)
  const { maxAttempts } = parts
  const { fileName } = content
  const asked = { id, tenantId, knowledgeBaseId: baseId, version: 1, fileName }
  const task = form.index
    ? await startTask(tables, { document: asked, requestedBy: caller.userId, maxAttempts, now })
    : null
  return { document: (await tables.documents.find(id))!, task }
}

/** @throws AppError CONFLICT when a document of the base holds the same bytes */
export async function expectNewBytes(
  { documents }: Pick<BusinessTables, 'documents'>,
  baseId: string,
  { sha256, fileName }: Pick<NewContent, 'sha256' | 'fileName'>
): Promise<void> {
  const documentId = await documents.withBytes(baseId, sha256)
  if (documentId === undefined) return
  const same = await documents.find(documentId)
  throw new AppError('CONFLICT', {
    operation: 'store document',
    subject: documentId,
    message: `${fileName}: the knowledge base holds the same file already, as ${same?.fileName ?? documentId}.`,
    details: { documentId }
  })
}
