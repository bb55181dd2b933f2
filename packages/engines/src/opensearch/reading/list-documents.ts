import type { ListedEntry, ReadablePair } from '@oncall-agent/retrieval'
import { LISTED_FIELDS } from '../indices/index.ts'
import type { StoredDocument } from '../indices/index.ts'
import { CORPUS_ORDER } from './corpus-order.ts'
import { routeOf, searchEngine } from './search-engine.ts'
import type { SearchParts } from './search-engine.ts'
import { selectionFilter } from './selection-filter.ts'

const PAGE = 1_000

/** Pages behind the last document seen, so that it reaches beyond what may be paged by number. */
export async function listDocuments(parts: SearchParts, pair: ReadablePair): Promise<readonly ListedEntry[]> {
  const listed: ListedEntry[] = []
  let after: readonly unknown[] | undefined
  do {
    const { hits } = await searchEngine(parts, {
      operation: 'list documents',
      body: {
        query: { bool: { filter: selectionFilter({ pairs: [pair], filters: {} }) } },
        size: PAGE,
        sort: CORPUS_ORDER,
        _source: LISTED_FIELDS,
        ...(after === undefined ? {} : { search_after: after })
      },
      route: routeOf(pair),
      signal: undefined
    })
    listed.push(...hits.map(({ source }) => entryOf(source)))
    after = hits.length < PAGE ? undefined : hits.at(-1)?.sort
  } while (after !== undefined)
  return listed
}

function entryOf({ document_id, knowledge_type, content_hash, has_vector }: StoredDocument): ListedEntry {
  return {
    documentId: document_id,
    knowledgeType: knowledge_type,
    contentHash: content_hash,
    hasVector: has_vector
  }
}
