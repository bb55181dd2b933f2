import type { DocumentView } from '@oncall-agent/api-contracts'
import type { DocumentWriter, ListedDocument } from '@oncall-agent/retrieval'
import { LOCAL_TENANT } from '../../auth/index.ts'
import type { BusinessStore, BusinessTables, StrandedDocument } from '../../store/index.ts'
import { PURGE_DOCUMENT, PURGE_KNOWLEDGE_BASE } from '../kinds.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { startTask } from '../start-task.ts'
import { followIndex, removeFromIndex, removeFromIndexAlone } from '../entry/follow-index.ts'
import { throughPort } from '../port-failure.ts'
import { purgeAgain, strandedDeletions } from './resume-purges.ts'

/** One document of which facts, index and search engine say different things; the facts are right, then the index. */
export interface IndexDifference {
  readonly kind: 'missing' | 'extra' | 'deleted' | 'version' | 'chunks' | 'entry' | 'search-engine'
  readonly tenantId: string
  readonly knowledgeBaseId: string
  readonly documentId: string
  readonly fileName: string
  /** A sentence for an operator. */
  readonly found: string
  /** `index-folder` is for a person to do: only they know which folder it was. */
  readonly repair: 'index-again' | 'index-folder' | 'remove-from-index' | 'copy-again' | 'purge-again'
}

/** Rows of one question to the facts. */
const BATCH = 1_000
/** More than a base holds, and few enough to be told. */
const STRANDED_TOLD = 100_000

/**
 * Every difference between the facts of uploads and the index, by base; nothing is changed. What `oncall index` fills
 * has its facts in the folder and is left out; so is a document with a task, or a purge, that has not ended.
 */
export async function compareFactsWithIndex(
  store: BusinessStore,
  index: Pick<DocumentWriter, 'listDocuments'>
): Promise<readonly IndexDifference[]> {
  const bases = (await store.knowledgeBases.every()).filter(({ tenantId }) => tenantId !== LOCAL_TENANT)
  const indexed = new Map<string, ListedDocument>()
  for (const { id: knowledgeBaseId, tenantId } of bases) {
    // Before the facts are read: what is published meanwhile is then in both, or has an open task.
    const documents = await throughPort(() => index.listDocuments({ tenantId, knowledgeBaseId }))
    for (const document of documents) indexed.set(document.documentId, document)
  }
  const busy = await store.indexTasks.openDocuments()
  const purging = await store.jobs.openSubjects([PURGE_DOCUMENT, PURGE_KNOWLEDGE_BASE])
  const differences: IndexDifference[] = []
  for await (const document of factsOf(store)) {
    const found = indexed.get(document.id)
    indexed.delete(document.id)
    const difference = busy.has(document.id) ? undefined : differenceOf(document, found)
    if (difference !== undefined) differences.push(difference)
  }
  for (const document of indexed.values()) differences.push(unknown(document))
  const stranded = (await strandedDeletions(store, STRANDED_TOLD)).map(leftBehind)
  const told = new Set(stranded.map(({ documentId }) => documentId))
  const others = differences.filter(
    ({ documentId, knowledgeBaseId }) =>
      !told.has(documentId) && !purging.has(documentId) && !purging.has(knowledgeBaseId)
  )
  return [...others, ...stranded]
}

/**
 * Brings the index to what the facts say, and a search engine to what the index holds: removes and copies at once, and
 * indexes again by tasks, as a person would have asked for them. Gives the number of differences that were dealt with.
 */
export async function repairDifferences(
  parts: KnowledgeParts,
  differences: readonly IndexDifference[]
): Promise<number> {
  let repaired = 0
  for (const difference of differences) {
    const { documentId, repair } = difference
    if (repair === 'remove-from-index' || repair === 'copy-again') {
      const repairing = repair === 'copy-again' ? followIndex : removeFromIndex
      await parts.locks.hold(documentId, () => repairing(parts, difference, documentId))
      repaired++
    } else if (repair === 'purge-again') {
      await parts.locks.hold(documentId, () => removeFromIndexAlone(parts, difference, documentId))
      await purgeAgain(parts, difference)
      repaired++
    } else if (
      repair === 'index-again' &&
      (await parts.store.transaction((tables) => indexAgain(parts, difference, tables)))
    ) {
      repaired++
    }
  }
  if (differences.some(({ repair }) => repair === 'index-again' || repair === 'purge-again')) parts.onEnqueued()
  return repaired
}

/** False when the document was deleted, or is being indexed, since it was compared. */
async function indexAgain(
  parts: KnowledgeParts,
  { documentId, tenantId }: IndexDifference,
  tables: BusinessTables
): Promise<boolean> {
  const document = await tables.documents.find(documentId)
  if (document === undefined || document.status === 'deleted') return false
  if ((await tables.indexTasks.open({ documentId })).length > 0) return false
  await startTask(tables, { document, requestedBy: tenantId, maxAttempts: parts.maxAttempts, now: parts.now() })
  return true
}

/** A thousand at a time: the texts are elsewhere, so that is about a megabyte. */
export async function* factsOf(store: Pick<BusinessStore, 'documents'>): AsyncGenerator<DocumentView> {
  let after = 0
  while (true) {
    const rows = await store.documents.all(after, BATCH)
    for (const { item } of rows) yield item
    if (rows.length < BATCH) return
    after = rows.at(-1)!.sequence
  }
}

/** The first thing that is wrong; what repairs it repairs the rest. */
function differenceOf(document: DocumentView, found: ListedDocument | undefined): IndexDifference | undefined {
  const { id: documentId, tenantId, knowledgeBaseId, fileName, indexedVersion, chunkCount } = document
  const about = { tenantId, knowledgeBaseId, documentId, fileName }
  if (document.status === 'deleted') {
    if (found === undefined) return undefined
    return { ...about, kind: 'deleted', found: 'It was deleted, and is in the index.', repair: 'remove-from-index' }
  }
  if (found === undefined) {
    if (indexedVersion === null) return undefined
    const missing = `Version ${indexedVersion} was indexed, and is not in the index.`
    return { ...about, kind: 'missing', found: missing, repair: 'index-again' }
  }
  if (indexedVersion === null) {
    return { ...about, kind: 'extra', found: 'It was never indexed, and is in the index.', repair: 'remove-from-index' }
  }
  if (found.version !== indexedVersion) {
    const other = `Version ${indexedVersion} was indexed, and the index holds version ${found.version}.`
    return { ...about, kind: 'version', found: other, repair: 'index-again' }
  }
  if (found.chunks === chunkCount) return undefined
  const counts = `It has ${chunkCount} chunks, and the index holds ${found.chunks}.`
  return { ...about, kind: 'chunks', found: counts, repair: 'index-again' }
}

/** Its row was erased, or the facts were restored from a time before it. */
function unknown({ tenantId, knowledgeBaseId, documentId, source }: ListedDocument): IndexDifference {
  const found = 'No document is known under this id, and it is in the index.'
  return { kind: 'extra', tenantId, knowledgeBaseId, documentId, fileName: source, found, repair: 'remove-from-index' }
}

/** Mostly because the search engine was down for longer than its job was tried. */
function leftBehind(document: StrandedDocument): IndexDifference {
  const found = 'It was deleted, and what is left of it is not being taken away: the job that did has failed.'
  return { ...document, kind: 'deleted', found, repair: 'purge-again' }
}
