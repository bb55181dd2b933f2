import type { SearchRequest, SearchResponse } from '@oncall-agent/api-contracts'
import type { StructuredSettings } from '@oncall-agent/retrieval'

type Named = keyof NonNullable<SearchRequest['settings']>

/** The settings that an answer tells, and that a request may ask for, by the names of the contract. */
export const settingNames = {
  strictMaxHits: 'strict_max_hits',
  titleBoost: 'title_boost',
  rrfWindow: 'rrf_window',
  vectorWeight: 'vector_weight',
  looseMinMatch: 'loose_min_match'
} as const satisfies Readonly<Record<Exclude<keyof StructuredSettings, 'maxResultWindow'>, Named>>

export function toldSettings(settings: StructuredSettings): SearchResponse['settings'] {
  return {
    strict_max_hits: settings.strictMaxHits,
    title_boost: settings.titleBoost,
    rrf_window: settings.rrfWindow,
    vector_weight: settings.vectorWeight,
    loose_min_match: settings.looseMinMatch
  }
}
