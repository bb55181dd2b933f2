import type { Job, JobHandler } from '../../jobs/index.ts'
import { throughPort } from '../port-failure.ts'
import { followIndex, removeFromIndexAlone, throughEngine } from '../entry/follow-index.ts'
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
 * files and its texts, and then out of the search engine, which may be down: until it is done there the document counts
 * as leaving. Rows of documents that were deleted long ago go as well. Subject: the document.
 */
export function createPurgeDocumentHandler(parts: KnowledgeParts): JobHandler {
  return {
    kind: PURGE_DOCUMENT,
    run: async (job, signal) => {
      const pair = pairOf(job, String(job.payload.knowledgeBaseId))
      await eraseHere(parts, pair, job.subject)
      await eraseThere(parts, pair, job.subject)
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
      const leaving = await parts.store.documents.leavingIndex([job.subject])
      const indexed = await throughPort(() => parts.index.writer.listDocuments(pair))
      for (const documentId of new Set([...leaving, ...indexed.map((document) => document.documentId)])) {
        signal.throwIfAborted()
        await eraseHere(parts, pair, documentId)
      }
      for (const documentId of new Set([...leaving, ...(await copiedOf(parts, pair))])) {
        signal.throwIfAborted()
        await eraseThere(parts, pair, documentId)
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

/** Waits for a task of this process that is publishing the document. */
async function eraseHere(parts: KnowledgeParts, pair: Pair, documentId: string): Promise<void> {
  await parts.locks.hold(documentId, () => removeFromIndexAlone(parts, pair, documentId))
  await removeFiles(parts.dataDirectory, documentId)
  await parts.store.documents.eraseTexts(documentId)
}

/** Out of the search engine, if there is one; with that it has left. */
async function eraseThere(parts: KnowledgeParts, pair: Pair, documentId: string): Promise<void> {
  await followIndex(parts, pair, documentId)
  await parts.store.documents.eraseContent(documentId)
}

/** What the search engine holds of a base, also when nobody else knows of it. */
async function copiedOf({ searchEngine }: KnowledgeParts, pair: Pair): Promise<readonly string[]> {
  if (searchEngine === undefined) return []
  const listed = await throughEngine(searchEngine, () => searchEngine.listDocuments(pair))
  return listed.map(({ documentId }) => documentId)
}

async function eraseOldRows(parts: KnowledgeParts, signal: AbortSignal): Promise<void> {
  const before = parts.now() - ROWS_KEPT_MS
  let erased = BATCH
  while (erased === BATCH) {
    signal.throwIfAborted()
    erased = await parts.store.documents.eraseDeletedBefore(before, BATCH)
  }
}
