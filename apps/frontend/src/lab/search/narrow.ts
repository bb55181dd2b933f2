import type { SearchFacets } from '@oncall-agent/api-contracts'
import type { SearchWish } from './search-wish.ts'

export type FacetName = keyof SearchFacets
export const facetNames = ['project', 'equipment', 'error_codes'] as const satisfies readonly FacetName[]

/**
 * The search for only those documents of this one that carry a value, from its first page; null when it would not be
 * narrower. Of several codes any suffices, so beside codes that were asked for another one would only widen.
 */
export function narrowed(wish: SearchWish, facet: FacetName, value: string): SearchWish | null {
  const change = changeOf(wish, facet, value)
  return change === null ? null : { ...wish, ...change, from: 0 }
}

function changeOf(
  { project, equipment, codes }: SearchWish,
  facet: FacetName,
  value: string
): Partial<SearchWish> | null {
  if (facet === 'project') return project === '' ? { project: value } : null
  if (facet === 'equipment') return equipment === '' ? { equipment: value } : null
  if (codes.length === 0) return { codes: [value] }
  return codes.length > 1 && codes.includes(value) ? { codes: [value] } : null
}
