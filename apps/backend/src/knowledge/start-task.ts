import { randomUUID } from 'node:crypto'
import { AppError, type DocumentView, type IndexTask } from '@oncall-agent/api-contracts'
import type { BusinessTables } from '../store/index.ts'
import { INDEX_DOCUMENT } from './kinds.ts'

export interface TaskRequest {
  readonly document: Pick<DocumentView, 'id' | 'tenantId' | 'knowledgeBaseId' | 'version' | 'fileName'>
  /** The user's id. */
  readonly requestedBy: string
  readonly retryOfTaskId?: string
  readonly maxAttempts: number
  readonly now: number
}

/**
 * A new task for a document's newest version, with its job: one transaction, the caller's. The job's subject is the
 * task, so that a job of a task that was cancelled never stands in the way of the next one.
 * @throws AppError CONFLICT while a task of the document has not ended, with `details.taskId`
 */
export async function startTask(tables: BusinessTables, request: TaskRequest): Promise<IndexTask> {
  const { document, requestedBy, retryOfTaskId = null, maxAttempts, now } = request
  const id = randomUUID()
  const inserted = await tables.indexTasks.insert({
    id,
    tenantId: document.tenantId,
    knowledgeBaseId: document.knowledgeBaseId,
    documentId: document.id,
    documentVersion: document.version,
    fileName: document.fileName,
    retryOfTaskId,
    requestedBy,
    createdAt: now
  })
  if (!inserted) throw await beingIndexed(tables, document.id)
  await tables.documents.moveIndexStatus(document.id, { kind: 'asked' })
  await tables.jobs.enqueue({ kind: INDEX_DOCUMENT, tenantId: document.tenantId, subject: id, maxAttempts, now })
  return (await tables.indexTasks.find(id))!
}

/**
 * Ends a task at once, whatever its job is doing: what the job makes is not published any more.
 * False when the task had ended.
 */
export async function cancelTask(tables: BusinessTables, task: IndexTask, now: number): Promise<boolean> {
  if (!(await tables.indexTasks.finish(task.id, { status: 'cancelled' }, now))) return false
  await tables.jobs.requestCancel(INDEX_DOCUMENT, task.id, now)
  await tables.documents.moveIndexStatus(task.documentId, { kind: 'ended' })
  return true
}

async function beingIndexed(tables: BusinessTables, documentId: string): Promise<AppError> {
  const [open] = await tables.indexTasks.open({ documentId })
  return new AppError('CONFLICT', {
    operation: 'index document',
    subject: documentId,
    message: 'The document is being indexed already.',
    hint: 'Wait until the task has ended, or cancel it.',
    details: { documentId, ...(open === undefined ? {} : { taskId: open.id }) }
  })
}
