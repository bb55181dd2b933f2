import type { KnowledgeIndex } from '@oncall-agent/retrieval'
import type { BusinessStore } from '../../store/index.ts'
import { compareEntries, type EntryDifference } from '../entry/compare-entries.ts'
import type { EntryCopy } from '../entry/follow-index.ts'
import { throughPort } from '../port-failure.ts'
import type { IndexDifference } from './compare-facts-with-index.ts'

/** What a search engine outside holds otherwise than the index; empty where there is none. */
export async function compareSearchEngine(
  store: Pick<BusinessStore, 'knowledgeBases'>,
  copy: EntryCopy & { readonly index: Pick<KnowledgeIndex, 'writer'> }
): Promise<readonly IndexDifference[]> {
  const differences: IndexDifference[] = []
  for (const { id: knowledgeBaseId, tenantId } of await store.knowledgeBases.every()) {
    const pair = { tenantId, knowledgeBaseId }
    const found = await compareEntries(copy, pair)
    if (found.length === 0) continue
    const documents = await throughPort(() => copy.index.writer.listDocuments(pair))
    const sources = new Map(documents.map(({ documentId, source }) => [documentId, source]))
    for (const { documentId, kind } of found) {
      const fileName = sources.get(documentId) ?? documentId
      const told = { kind: 'search-engine', found: TOLD[kind], repair: 'copy-again' } as const
      differences.push({ ...pair, documentId, fileName, ...told })
    }
  }
  return differences
}

const TOLD: Readonly<Record<EntryDifference['kind'], string>> = {
  missing: 'The search engine lacks it.',
  extra: 'The search engine holds it, and the index does not.',
  other: 'The search engine holds something else of it than the index.'
}
