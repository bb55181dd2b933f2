import type { Facet, FacetField, FacetRequest, StructuredFacets } from '@oncall-agent/retrieval'
import { countEveryValue } from './count-every-value.ts'
import { keywordQuery } from './keyword-query.ts'
import { routeOf, searchEngine } from './search-engine.ts'
import type { SearchParts } from './search-engine.ts'

/**
 * Values that a shard sends. Up to here the counts are exact by the engine's own word; beyond it all values are counted
 * page by page.
 */
const VALUES_OF_A_SHARD = 10_000

export const FIELD_NAMES: Readonly<Record<FacetField, string>> = {
  project: 'project',
  equipment: 'equipment',
  errorCodes: 'error_codes'
}

interface TermsAnswer {
  readonly doc_count_error_upper_bound: number
  readonly sum_other_doc_count: number
  readonly buckets: readonly { readonly key: string; readonly doc_count: number }[]
}

/** @param valuesOfAShard fewer in tests */
export async function countFacets(
  parts: SearchParts,
  request: FacetRequest,
  {
    signal,
    valuesOfAShard = VALUES_OF_A_SHARD
  }: { readonly signal?: AbortSignal | undefined; readonly valuesOfAShard?: number } = {}
): Promise<StructuredFacets> {
  const { pairs, filters, clauses, fields, buckets } = request
  const route = routeOf({ pairs, filters, clauses })
  const size = { size: buckets, shard_size: Math.max(valuesOfAShard, buckets) }
  const query = keywordQuery(request)
  const { aggregations } = await searchEngine(parts, {
    operation: 'count facets',
    knowledgeType: filters.knowledgeType,
    body: {
      size: 0,
      query,
      // In the engine's own order: the most frequent first, equal ones by bytes, which is by code points.
      aggs: Object.fromEntries(fields.map((field) => [field, { terms: { field: FIELD_NAMES[field], ...size } }]))
    },
    route,
    signal
  })
  const facets: Partial<Record<FacetField, Facet>> = {}
  for (const field of fields) {
    const answer = aggregations[field] as TermsAnswer
    const place = { knowledgeType: filters.knowledgeType, query, route, signal }
    facets[field] = isExact(answer)
      ? facetOf(answer)
      : await countEveryValue(parts, { field: FIELD_NAMES[field], buckets }, place)
  }
  return facets
}

/** No shard left values out that it might have had. */
function isExact({ doc_count_error_upper_bound }: TermsAnswer): boolean {
  return doc_count_error_upper_bound === 0
}

function facetOf({ buckets, sum_other_doc_count }: TermsAnswer): Facet {
  return {
    buckets: buckets.map(({ key, doc_count }) => ({ value: key, count: doc_count })),
    truncated: sum_other_doc_count
  }
}
