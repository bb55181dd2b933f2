import type { DocumentView } from '@oncall-agent/api-contracts'
import type { DocumentWriter, ListedDocument } from '@oncall-agent/retrieval'
import { LOCAL_TENANT } from '../../auth/index.ts'
import type { BusinessStore } from '../../store/index.ts'
import { throughPort } from '../port-failure.ts'

/** A document that the new index is to hold. */
export interface Target {
  readonly documentId: string
  readonly tenantId: string
  readonly knowledgeBaseId: string
  /** As people know it. */
  readonly source: string
  /** Of an upload, the version that the old index holds, or that the facts say it does. */
  readonly version: number
  /** Absent when the old index lost it. */
  readonly old: ListedDocument | undefined
  /** Absent for what `oncall index` has put there: its facts are its file. */
  readonly upload: DocumentView | undefined
}

export interface Targets {
  readonly byId: ReadonlyMap<string, Target>
  /** Documents of the old index that are deleted, or that no fact speaks of. */
  readonly leftOut: number
}

/** Rows of one question to the facts. */
const BATCH = 1_000

/**
 * What the new index is to hold, by the facts and the old index: every document of a folder; of uploads the version that
 * is served, without those that are deleted. The old index is asked first: what is published while this runs is in
 * both, or has a task that has not ended.
 */
export async function listTargets(
  store: Pick<BusinessStore, 'knowledgeBases' | 'documents' | 'indexTasks'>,
  old: Pick<DocumentWriter, 'listDocuments'>
): Promise<Targets> {
  const targets = new Map<string, Target>()
  const held = new Map<string, ListedDocument>()
  for (const { id: knowledgeBaseId, tenantId } of await store.knowledgeBases.every()) {
    for (const document of await throughPort(() => old.listDocuments({ tenantId, knowledgeBaseId }))) {
      if (tenantId === LOCAL_TENANT) targets.set(document.documentId, targetOf(document, document, undefined))
      else held.set(document.documentId, document)
    }
  }
  const busy = await store.indexTasks.openDocuments()
  for await (const upload of everyUpload(store)) {
    const found = held.get(upload.id)
    // A task that has not ended may have published what the facts do not say yet.
    const version = found !== undefined && busy.has(upload.id) ? found.version : upload.indexedVersion
    if (upload.status === 'deleted' || version === null) continue
    held.delete(upload.id)
    const about = { ...upload, documentId: upload.id, source: upload.fileName, version: found?.version ?? version }
    targets.set(upload.id, targetOf(about, found, upload))
  }
  return { byId: targets, leftOut: held.size }
}

function targetOf(
  { documentId, tenantId, knowledgeBaseId, source, version }: Omit<Target, 'old' | 'upload'>,
  old: ListedDocument | undefined,
  upload: DocumentView | undefined
): Target {
  return { documentId, tenantId, knowledgeBaseId, source, version, old, upload }
}

/** Equal as long as nothing has happened to the document that a rebuild would have to see. */
export function stateOf({ version, old, upload }: Target): string {
  return JSON.stringify([version, old?.version, old?.contentHash, upload?.indexedVersion, upload?.chunkCount])
}

async function* everyUpload(store: Pick<BusinessStore, 'documents'>): AsyncGenerator<DocumentView> {
  let after = 0
  while (true) {
    const rows = await store.documents.all(after, BATCH)
    for (const { item } of rows) yield item
    if (rows.length < BATCH) return
    after = rows.at(-1)!.sequence
  }
}
