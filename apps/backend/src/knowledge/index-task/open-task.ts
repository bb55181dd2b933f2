import { AppError, type DocumentView, type IndexTask } from '@oncall-agent/api-contracts'
import type { StoredVersion } from '../../store/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'

/** A task that is to be done, with the document and the version that it is about. */
export interface OpenTask {
  readonly task: IndexTask
  readonly document: DocumentView
  readonly version: StoredVersion
}

/** Undefined when the task has ended meanwhile: it was cancelled, or its document was deleted. */
export async function openTask({ store }: KnowledgeParts, taskId: string): Promise<OpenTask | undefined> {
  if (!(await store.indexTasks.mayPublish(taskId))) return undefined
  const task = await store.indexTasks.find(taskId)
  const document = task && (await store.documents.find(task.documentId))
  const version = task && (await store.documents.version(task.documentId, task.documentVersion))
  if (task === undefined || document === undefined) return undefined
  if (version !== undefined) return { task, document, version }
  throw new AppError('INTERNAL', {
    operation: 'index document',
    subject: task.documentId,
    message: `Version ${task.documentVersion} of the document is not known.`
  })
}
