import type { ListedEntry, ReadablePair } from '@oncall-agent/retrieval'
import { throughPort } from '../port-failure.ts'
import { type EntryCopy, followIndex, throughEngine } from './follow-index.ts'

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

/** Brings the search engine to what the index holds of a pair. Gives the number of documents that it changed. */
export async function alignEntries(copy: EntryCopy, pair: ReadablePair, signal?: AbortSignal): Promise<number> {
  const differences = await compareEntries(copy, pair)
  for (const { documentId } of differences) {
    signal?.throwIfAborted()
    await followIndex(copy, pair, documentId)
  }
  return differences.length
}

function isSame(left: ListedEntry, right: ListedEntry): boolean {
  return (
    left.contentHash === right.contentHash &&
    left.knowledgeType === right.knowledgeType &&
    left.hasVector === right.hasVector
  )
}
