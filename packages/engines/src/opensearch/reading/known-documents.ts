import { searchEngine } from './search-engine.ts'
import type { SearchHit, SearchParts } from './search-engine.ts'

/** Documents of an earlier search of the same question, asked about once more. */
export interface KnownDocuments {
  readonly hits: readonly SearchHit[]
  readonly operation: string
  readonly route: string
  readonly signal: AbortSignal | undefined
}

/**
 * Asks again about documents that were just found, one answer a hit in the order of the hits; null when one of them has
 * been replaced, deleted or moved since, for then the two answers do not belong together.
 * @param body of a search for the ids handed to it
 */
export async function askAgain(
  parts: SearchParts,
  { hits, operation, route, signal }: KnownDocuments,
  body: (ids: object) => Readonly<Record<string, unknown>>
): Promise<readonly SearchHit[] | null> {
  if (hits.length === 0) return []
  const ids = { ids: { values: hits.map(({ id }) => id) } }
  const asked = { size: hits.length, seq_no_primary_term: true, ...body(ids) }
  const answer = await searchEngine(parts, { operation, body: asked, route, signal })
  const found = new Map(answer.hits.map((hit) => [versionOf(hit), hit]))
  const again = hits.map((hit) => found.get(versionOf(hit)))
  return again.every((hit) => hit !== undefined) ? again : null
}

function versionOf({ index, id, sequence }: SearchHit): string {
  return `${index}/${id}/${sequence}`
}
