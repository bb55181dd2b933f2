import {
  AppError,
  type DocumentView,
  type IndexTask,
  type UploadAnswer,
  type UploadForm
} from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { BusinessTables, NewContent } from '../../store/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { cancelTask, startTask } from '../start-task.ts'
import { notFound } from './access.ts'
import { adoptFile } from '../document-files.ts'
import type { ReceivedFile } from './knowledge-service.ts'
import { documentForm, inspectFile } from './new-content.ts'
import { ownDocument } from './own-document.ts'
import { expectNewBytes } from './upload.ts'

export interface Replacement {
  readonly caller: Caller
  readonly documentId: string
  readonly form: UploadForm
  readonly file: ReceivedFile
}

/**
 * A new version of a document. It is indexed when the form asks for it, and also when the document is indexed or about
 * to be: who replaces what is found wants the new text to be found. A task of the version before is cancelled; what is
 * indexed is served until the new version is. Form fields that are not given stay as they were.
 */
export async function replace(parts: KnowledgeParts, request: Replacement): Promise<UploadAnswer> {
  const { caller, documentId, file } = request
  const document = await ownDocument(parts, caller, documentId)
  const before = await parts.store.documents.version(documentId, document.version)
  const form = { ...before?.form, ...documentForm(request.form) }
  const content = await inspectFile(parts, { file, form, uploadedBy: caller.userId })
  const answer = await parts.store.transaction((tables) => advance(parts, { ...request, content }, tables))
  if (answer.task !== null) parts.onEnqueued()
  return { ...answer, documents: [answer], refused: [] }
}

interface Advance extends Replacement {
  readonly content: NewContent
}

interface Advanced {
  readonly document: DocumentView
  readonly task: IndexTask | null
}

/** Version, place at the head, tasks: one transaction. The document is read again, for it may have moved on meanwhile. */
async function advance(
  parts: KnowledgeParts,
  { caller, documentId, form, file, content }: Advance,
  tables: BusinessTables
): Promise<Advanced> {
  const now = parts.now()
  const document = await tables.documents.find(documentId)
  if (document === undefined || document.status === 'deleted') throw notFound('document', documentId)
  if (document.sha256 === content.sha256) throw unchanged(documentId)
  await expectNewBytes(tables, document.knowledgeBaseId, content)

  const version = document.version + 1
  // Moved while the write lock is held: the version's number, and with it the place of the file, is nobody else's.
  await adoptFile(parts.dataDirectory, file.path, { documentId, version })
  await tables.documents.insertVersion(documentId, version, content, now)
  await tables.documents.advance(documentId, version, content, now)

  const open = await tables.indexTasks.open({ documentId })
  for (const task of open) await cancelTask(tables, task, now)
  const wanted = form.index || document.indexedVersion !== null || open.length > 0
  const { maxAttempts } = parts
  const asked = { ...document, version, fileName: content.fileName }
  const task = wanted
    ? await startTask(tables, { document: asked, requestedBy: caller.userId, maxAttempts, now })
    : null
  if (task === null) await tables.documents.moveIndexStatus(documentId, { kind: 'ended' })
  return { document: (await tables.documents.find(documentId))!, task }
}

function unchanged(documentId: string): AppError {
  return new AppError('CONFLICT', {
    operation: 'replace document',
    subject: documentId,
    message: 'The file is the same as the one that is there.',
    hint: 'To index it again, start an index task.',
    details: { documentId }
  })
}
