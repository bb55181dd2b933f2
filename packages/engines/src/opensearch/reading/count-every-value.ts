import type { Facet, FacetBucket } from '@oncall-agent/retrieval'
import { searchEngine } from './search-engine.ts'
import type { SearchCall, SearchParts } from './search-engine.ts'

/** Values a request; an engine refuses more than 65,535 buckets in one answer. */
const PAGE = 10_000

interface CompositeAnswer {
  readonly after_key?: object
  readonly buckets: readonly { readonly key: { readonly value: string }; readonly doc_count: number }[]
}

/** Counts all values of a field exactly, however many, and keeps the most frequent. */
export async function countEveryValue(
  parts: SearchParts,
  { field, buckets }: { readonly field: string; readonly buckets: number },
  { query, ...place }: Pick<SearchCall, 'knowledgeType' | 'route' | 'signal'> & { readonly query: object }
): Promise<Facet> {
  let top: FacetBucket[] = []
  let sum = 0
  let after: object | undefined
  do {
    const sources = [{ value: { terms: { field } } }]
    const composite = { size: PAGE, sources, ...(after === undefined ? {} : { after }) }
    const body = { size: 0, query, aggs: { values: { composite } } }
    const { aggregations } = await searchEngine(parts, { operation: 'count facets', body, ...place })
    const answer = aggregations['values'] as CompositeAnswer
    const page = answer.buckets.map(({ key, doc_count }) => ({ value: key.value, count: doc_count }))
    sum += page.reduce((all, { count }) => all + count, 0)
    // Pages come in the order of values, and the sort is stable: equal counts stay in that order.
    top = [...top, ...page].toSorted((left, right) => right.count - left.count).slice(0, buckets)
    after = answer.after_key
  } while (after !== undefined)
  return { buckets: top, truncated: sum - top.reduce((all, { count }) => all + count, 0) }
}
