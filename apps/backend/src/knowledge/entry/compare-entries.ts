import type { ListedEntry, ReadablePair } from '@oncall-agent/retrieval'
import { throughPort } from '../port-failure.ts'
import { type EntryCopy, followIndex, throughEngine } from './follow-index.ts'
import { type RefusedEntries, refusedDocument } from './refused-entries.ts'

/** A document of which the search engine holds something else than the index does. */
export interface EntryDifference {
  readonly documentId: string
  /** `missing` and `extra` in the search engine; `other`: both hold it, and not the same of it. */
  readonly kind: 'missing' | 'extra' | 'other'
}

/** What a search engine must do so that it holds of a pair what the index does. Empty where there is no such engine. */
export async function compareEntries(
  { index, searchEngine }: EntryCopy,
  { tenantId, knowledgeBaseId }: ReadablePair
): Promise<readonly EntryDifference[]> {
  if (searchEngine === undefined) return []
  const pair = { tenantId, knowledgeBaseId }
  const copied = new Map<string, ListedEntry>()
  for (const entry of await throughEngine(searchEngine, () => searchEngine.listDocuments(pair))) {
    copied.set(entry.documentId, entry)
  }
  const differences: EntryDifference[] = []
  for (const entry of await throughPort(() => index.structured.listDocuments(pair))) {
    const copy = copied.get(entry.documentId)
    copied.delete(entry.documentId)
    if (copy === undefined) differences.push({ documentId: entry.documentId, kind: 'missing' })
    else if (!isSame(entry, copy)) differences.push({ documentId: entry.documentId, kind: 'other' })
  }
  for (const documentId of copied.keys()) differences.push({ documentId, kind: 'extra' })
  return differences
}

interface AlignOptions {
  readonly signal?: AbortSignal | undefined
  /** Documents that the engine does not take are passed over and noted here; without it the first of them ends it. */
  readonly refused?: RefusedEntries
}

/** Brings the search engine to what the index holds of a pair. Gives the number of documents that it changed. */
export async function alignEntries(
  copy: EntryCopy,
  pair: ReadablePair,
  { signal, refused }: AlignOptions = {}
): Promise<number> {
  let changed = 0
  for (const { documentId } of await compareEntries(copy, pair)) {
    signal?.throwIfAborted()
    if (refused?.has(documentId) === true) continue
    try {
      await followIndex(copy, pair, documentId)
      changed++
    } catch (thrown) {
      const refusal = refusedDocument(thrown)
      if (refused === undefined || refusal?.documentId !== documentId) throw thrown
      refused.set(documentId, refusal.reason)
    }
  }
  return changed
}

function isSame(left: ListedEntry, right: ListedEntry): boolean {
  return (
    left.contentHash === right.contentHash &&
    left.knowledgeType === right.knowledgeType &&
    left.hasVector === right.hasVector
  )
}
