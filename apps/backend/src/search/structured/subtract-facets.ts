import {
  compareCodePoints,
  type Facet,
  type FacetField,
  type FacetRequest,
  type StructuredFacets,
  type StructuredHit
} from '@oncall-agent/retrieval'

type Document = StructuredHit['document']

/**
 * Facets as they would be without some of the documents that they count. Asks for as many buckets more as could vanish.
 * @param documents that match, each of them counted by the facets
 */
export async function subtractFacets(
  request: FacetRequest,
  documents: readonly Document[],
  ask: (request: FacetRequest) => Promise<StructuredFacets>
): Promise<StructuredFacets> {
  const values = request.fields.map((field) => documents.flatMap((document) => valuesOf(document, field)))
  const more = Math.max(0, ...values.map((each) => new Set(each).size))
  const facets = await ask({ ...request, buckets: request.buckets + more })
  const left = request.fields.flatMap((field, at) => {
    const facet = facets[field]
    return facet === undefined ? [] : [[field, subtract(facet, values[at]!, request.buckets)] as const]
  })
  return Object.fromEntries(left)
}

function valuesOf(document: Document, field: FacetField): readonly string[] {
  const value = document[field]
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : [...new Set(value)]
}

function subtract(facet: Facet, values: readonly string[], limit: number): Facet {
  const counts = new Map(facet.buckets.map(({ value, count }) => [value, count]))
  let beyond = facet.truncated
  for (const value of values) {
    const count = counts.get(value)
    if (count === undefined) beyond--
    else counts.set(value, count - 1)
  }
  const buckets = [...counts]
    .map(([value, count]) => ({ value, count }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count || compareCodePoints(left.value, right.value))
  const hidden = buckets.slice(limit).reduce((sum, { count }) => sum + count, 0)
  return { buckets: buckets.slice(0, limit), truncated: beyond + hidden }
}
