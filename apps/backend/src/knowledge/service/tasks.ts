import { AppError, type IndexTask, type Page } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { cancelTask as endTask, startTask } from '../start-task.ts'
import { findReadableBase, mayOnlyRead, notFound, type ReadableBase, readableBase } from './access.ts'
import type { PageRequest } from '../../store/index.ts'
import { ownDocument } from './own-document.ts'
import { type DocumentRequest, readableDocument } from './read-documents.ts'

/** Who asks for which task. */
export interface TaskRequest {
  readonly caller: Caller
  readonly taskId: string
}

/** @throws AppError NOT_FOUND, AUTH_FORBIDDEN; CONFLICT while a task of the document has not ended */
export async function createTask(parts: KnowledgeParts, { caller, documentId }: DocumentRequest): Promise<IndexTask> {
  await ownDocument(parts, caller, documentId)
  return start(parts, { caller, documentId })
}

/** Newest first; those of deleted documents too, until these are forgotten. */
export async function listBaseTasks(
  parts: KnowledgeParts,
  { caller, baseId }: { readonly caller: Caller; readonly baseId: string },
  page: PageRequest
): Promise<Page<IndexTask>> {
  await readableBase(parts, caller, baseId)
  return parts.store.indexTasks.list({ knowledgeBaseId: baseId }, page)
}

/** Newest first: the history of a document with its reasons. */
export async function listDocumentTasks(
  parts: KnowledgeParts,
  request: DocumentRequest,
  page: PageRequest
): Promise<Page<IndexTask>> {
  const { document } = await readableDocument(parts, request)
  return parts.store.indexTasks.list({ documentId: document.id }, page)
}

/** @throws AppError NOT_FOUND */
export async function showTask(parts: KnowledgeParts, request: TaskRequest): Promise<IndexTask> {
  return (await readableTask(parts, request)).task
}

/** Only what failed or was cancelled is tried again, with the newest version. @throws AppError CONFLICT */
export async function retryTask(parts: KnowledgeParts, request: TaskRequest): Promise<IndexTask> {
  const { task } = await ownTask(parts, request)
  if (task.status !== 'failed' && task.status !== 'cancelled') {
    const state = task.status === 'succeeded' ? 'succeeded' : 'has not ended'
    throw wrongState(task, `The task ${state}; only one that failed or was cancelled can be tried again.`)
  }
  return start(parts, { caller: request.caller, documentId: task.documentId, retryOfTaskId: task.id })
}

/** The version that is indexed stays. @throws AppError CONFLICT when the task has ended */
export async function cancelTask(parts: KnowledgeParts, request: TaskRequest): Promise<IndexTask> {
  const { task } = await ownTask(parts, request)
  const cancelled = await parts.store.transaction(async (tables) => {
    return (await endTask(tables, task, parts.now())) ? await tables.indexTasks.find(task.id) : undefined
  })
  if (cancelled === undefined) throw wrongState(task, 'The task has ended.')
  // A worker of this process looks now, and lets go of what it does for the task.
  parts.onEnqueued()
  return cancelled
}

/** Reads the document again where nobody can change it: its newest version is the one that is indexed. */
async function start(
  parts: KnowledgeParts,
  { caller, documentId, ...retry }: DocumentRequest & { readonly retryOfTaskId?: string }
): Promise<IndexTask> {
  const { maxAttempts } = parts
  const task = await parts.store.transaction(async (tables) => {
    const document = await tables.documents.find(documentId)
    if (document === undefined || document.status === 'deleted') throw notFound('document', documentId)
    const now = parts.now()
    return startTask(tables, { document, requestedBy: caller.userId, maxAttempts, now, ...retry })
  })
  parts.onEnqueued()
  return task
}

interface ReadableTask {
  readonly task: IndexTask
  readonly in: ReadableBase
}

/** A task outlives its document: who waits for it is told that it was cancelled. */
async function readableTask(parts: KnowledgeParts, { caller, taskId }: TaskRequest): Promise<ReadableTask> {
  const task = await parts.store.indexTasks.find(taskId)
  const of = task && (await findReadableBase(parts, caller, task.knowledgeBaseId))
  if (task === undefined || of === undefined) throw notFound('index task', taskId)
  return { task, in: of }
}

async function ownTask(parts: KnowledgeParts, request: TaskRequest): Promise<ReadableTask> {
  const readable = await readableTask(parts, request)
  if (readable.in.access !== 'owner') throw mayOnlyRead(readable.in, request.taskId)
  return readable
}

function wrongState(task: IndexTask, message: string): AppError {
  const details = { taskId: task.id, status: task.status }
  return new AppError('CONFLICT', { operation: 'change index task', subject: task.id, message, details })
}
