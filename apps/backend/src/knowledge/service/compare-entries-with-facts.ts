import type { DocumentView } from '@oncall-agent/api-contracts'
import type { KnowledgeIndex, ListedDocument, ListedEntry } from '@oncall-agent/retrieval'
import { LOCAL_TENANT } from '../../auth/index.ts'
import type { BusinessStore } from '../../store/index.ts'
import { entryTextOf } from '../entry/document-entry.ts'
import { knownAttributes } from '../index-task/merge-attributes.ts'
import { throughPort } from '../port-failure.ts'
import type { EntrySettings } from '../settings.ts'
import { factsOf, type IndexDifference } from './compare-facts-with-index.ts'

type Facts = Pick<BusinessStore, 'knowledgeBases' | 'documents' | 'indexTasks'>
type Index = Pick<KnowledgeIndex, 'writer' | 'structured'>

interface Indexed {
  readonly document: ListedDocument
  readonly entry: ListedEntry | undefined
}

/**
 * Documents of the index whose entry of structured search is not there, is of another version than their chunks, or is not
 * what the facts say; and entries of no document. Of a folder, whose facts are its files, only whether there is an entry.
 * A document with a task that has not ended is left out.
 */
export async function compareEntriesWithFacts(
  store: Facts,
  index: Index,
  settings: EntrySettings
): Promise<readonly IndexDifference[]> {
  const differences: IndexDifference[] = []
  const uploads = new Map<string, Indexed>()
  for (const { id: knowledgeBaseId, tenantId } of await store.knowledgeBases.every()) {
    const { indexed, extra } = await entriesOf(index, { tenantId, knowledgeBaseId })
    differences.push(...extra)
    if (tenantId === LOCAL_TENANT) differences.push(...indexed.filter(({ entry }) => entry === undefined).map(ofFolder))
    else for (const each of indexed) uploads.set(each.document.documentId, each)
  }
  const busy = await store.indexTasks.openDocuments()
  for await (const upload of factsOf(store)) {
    const found = uploads.get(upload.id)
    if (found === undefined || busy.has(upload.id) || upload.indexedVersion !== found.document.version) continue
    const fault = await faultOf(store, settings, upload, found)
    if (fault !== undefined) differences.push({ ...about(found.document), found: fault, repair: 'index-again' })
  }
  return differences
}

/** Entries first: a document that is published in between must not look like an entry of none, which would be removed. */
async function entriesOf({ writer, structured }: Index, pair: Pair) {
  const listed = await throughPort(() => structured.listDocuments(pair))
  const entries = new Map(listed.map((entry) => [entry.documentId, entry]))
  const documents = await throughPort(() => writer.listDocuments(pair))
  const indexed = documents.map((document): Indexed => ({ document, entry: entries.get(document.documentId) }))
  for (const { documentId } of documents) entries.delete(documentId)
  return { indexed, extra: [...entries.keys()].map((documentId) => ofNoDocument(pair, documentId)) }
}

async function faultOf(
  store: Facts,
  settings: EntrySettings,
  upload: DocumentView,
  { document, entry }: Indexed
): Promise<string | undefined> {
  if (entry === undefined) return MISSING
  const known = await store.documents.text(document.documentId, document.version)
  // The facts of a version that was indexed have its text; if they lack it there is nothing to compare with.
  if (known === undefined) return undefined
  const attributes = knownAttributes(upload.attributes)
  const expected = entryTextOf({ record: document, document: { ...known, attributes } }, settings)
  return entry.contentHash === expected.contentHash
    ? undefined
    : 'Its entry of structured search is not what the facts say.'
}

const MISSING = 'It has no entry of structured search.'
type Pair = Pick<IndexDifference, 'tenantId' | 'knowledgeBaseId'>

function about({ tenantId, knowledgeBaseId, documentId, source: fileName }: ListedDocument) {
  return { kind: 'entry', tenantId, knowledgeBaseId, documentId, fileName } as const
}

function ofFolder({ document }: Indexed): IndexDifference {
  return { ...about(document), found: MISSING, repair: 'index-folder' }
}

function ofNoDocument(pair: Pair, documentId: string): IndexDifference {
  const found = 'It has an entry of structured search, and is not in the index.'
  return { ...pair, kind: 'entry', documentId, fileName: documentId, found, repair: 'remove-from-index' }
}
