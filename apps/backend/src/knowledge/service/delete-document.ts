import { AppError } from '@oncall-agent/api-contracts'
import { PURGE_DOCUMENT } from '../kinds.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { cancelTask } from '../start-task.ts'
import { removeFromIndexAlone } from '../entry/follow-index.ts'
import { notFound } from './access.ts'
import { ownDocument } from './own-document.ts'
import type { DocumentRequest } from './read-documents.ts'

/**
 * Deletes a document: the facts first, then out of the index. From the commit on its hits are dropped, its task is
 * cancelled and nothing of it is published; so it is not retrievable when this resolves, also when the index could not
 * be reached: then the durable job removes it there, and reports what stands in the way. A search engine outside is left
 * to that job: whoever deletes does not wait for it, and its hits are dropped meanwhile.
 */
export async function deleteDocument(parts: KnowledgeParts, { caller, documentId }: DocumentRequest): Promise<void> {
  const { tenantId, knowledgeBaseId } = await ownDocument(parts, caller, documentId)
  const { store, locks, maxAttempts } = parts
  await store.transaction(async (tables) => {
    const now = parts.now()
    for (const task of await tables.indexTasks.open({ documentId })) await cancelTask(tables, task, now)
    if (!(await tables.documents.markDeleted(documentId, now))) throw notFound('document', documentId)
    const payload = { knowledgeBaseId }
    await tables.jobs.enqueue({ kind: PURGE_DOCUMENT, tenantId, subject: documentId, payload, maxAttempts, now })
  })
  try {
    await locks.hold(documentId, () => removeFromIndexAlone(parts, { tenantId, knowledgeBaseId }, documentId))
  } catch (error) {
    // A fault of the index, and no fault of this code: it is told by the job, which meets it too.
    if (!(error instanceof AppError) || error.code === 'INTERNAL') throw error
  } finally {
    parts.onEnqueued()
  }
}
