import type { Job, JobHandler } from '../../jobs/index.ts'
import { throughPort } from '../port-failure.ts'
import { removeFromIndex, throughEngine } from '../entry/follow-index.ts'
import { removeFiles } from '../document-files.ts'
import { PURGE_DOCUMENT, PURGE_KNOWLEDGE_BASE } from '../kinds.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** As long as runs of retrieval are kept: until then an old citation can be told that its document was deleted. */
const ROWS_KEPT_MS = 90 * DAY_MS
/** Rows of one transaction: few enough that nobody waits for it. */
const BATCH = 200

/**
 * Takes away what is left of a deleted document: out of the index once more (a process may have died between), its
 * files and its texts. Rows of documents that were deleted long ago go as well. Subject: the document.
 */
export function createPurgeDocumentHandler(parts: KnowledgeParts): JobHandler {
  return {
    kind: PURGE_DOCUMENT,
    run: async (job, signal) => {
      await purgeDocument(parts, pairOf(job, String(job.payload.knowledgeBaseId)), job.subject)
      await eraseOldRows(parts, signal)
    }
  }
}

/** The same for all documents of a deleted base, and for whatever else the index holds of it. Subject: the base. */
export function createPurgeKnowledgeBaseHandler(parts: KnowledgeParts): JobHandler {
  return {
    kind: PURGE_KNOWLEDGE_BASE,
    run: async (job, signal) => {
      const pair = pairOf(job, job.subject)
      for (const documentId of await heldOf(parts, pair)) {
        signal.throwIfAborted()
        await removeLocked(parts, pair, documentId)
      }
      let documents = await parts.store.documents.deletedWithContent(job.subject, BATCH)
      while (documents.length > 0) {
        for (const documentId of documents) {
          signal.throwIfAborted()
          await purgeDocument(parts, pair, documentId)
        }
        documents = await parts.store.documents.deletedWithContent(job.subject, BATCH)
      }
      await eraseOldRows(parts, signal)
    }
  }
}

interface Pair {
  readonly tenantId: string
  readonly knowledgeBaseId: string
}

function pairOf(job: Job, knowledgeBaseId: string): Pair {
  return { tenantId: job.tenantId, knowledgeBaseId }
}

async function purgeDocument(parts: KnowledgeParts, pair: Pair, documentId: string): Promise<void> {
  await removeLocked(parts, pair, documentId)
  await removeFiles(parts.dataDirectory, documentId)
  await parts.store.documents.eraseContent(documentId)
}

/** Waits for a task of this process that is publishing the document. */
async function removeLocked(parts: KnowledgeParts, pair: Pair, documentId: string): Promise<void> {
  await parts.locks.hold(documentId, () => removeFromIndex(parts, pair, documentId))
}

/** What the index holds of a base, or the search engine although the index does not. */
async function heldOf({ index, searchEngine }: KnowledgeParts, pair: Pair): Promise<ReadonlySet<string>> {
  const indexed = await throughPort(() => index.writer.listDocuments(pair))
  const copied =
    searchEngine === undefined ? [] : await throughEngine(searchEngine, () => searchEngine.listDocuments(pair))
  return new Set([...indexed, ...copied].map(({ documentId }) => documentId))
}

async function eraseOldRows(parts: KnowledgeParts, signal: AbortSignal): Promise<void> {
  const before = parts.now() - ROWS_KEPT_MS
  let erased = BATCH
  while (erased === BATCH) {
    signal.throwIfAborted()
    erased = await parts.store.documents.eraseDeletedBefore(before, BATCH)
  }
}
