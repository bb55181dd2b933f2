import { PURGE_DOCUMENT, PURGE_KNOWLEDGE_BASE } from '../kinds.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import type { BusinessStore, StrandedDocument } from '../../store/index.ts'

/** At one start: each is a job, and jobs of people wait behind them. The next start takes the next. */
const AT_ONE_START = 1_000

/** Deleted documents of which something is left although the job that takes it away has failed for good. */
export function strandedDeletions(
  { documents }: Pick<BusinessStore, 'documents'>,
  limit: number
): Promise<readonly StrandedDocument[]> {
  return documents.strandedDeletions([PURGE_DOCUMENT, PURGE_KNOWLEDGE_BASE], limit)
}

/** Enqueues once more what takes a deleted document away; a job that is open already stays the only one. */
export async function purgeAgain(
  { store, maxAttempts, now }: Pick<KnowledgeParts, 'store' | 'maxAttempts' | 'now'>,
  { documentId, tenantId, knowledgeBaseId }: Omit<StrandedDocument, 'fileName'>
): Promise<void> {
  const payload = { knowledgeBaseId }
  const about = { kind: PURGE_DOCUMENT, tenantId, subject: documentId, payload, maxAttempts, now: now() }
  await store.transaction((tables) => tables.jobs.enqueue(about))
}

/** To be called when a process starts: an engine that was down for long may be up again. Gives the number of jobs. */
export async function resumePurges(parts: KnowledgeParts): Promise<number> {
  const stranded = await strandedDeletions(parts.store, AT_ONE_START)
  for (const document of stranded) await purgeAgain(parts, document)
  if (stranded.length > 0) parts.onEnqueued()
  return stranded.length
}
