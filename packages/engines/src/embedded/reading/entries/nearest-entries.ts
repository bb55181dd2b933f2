import { vectorPartOf } from '@oncall-agent/retrieval'
import type { NearestRequest, StructuredRecall } from '@oncall-agent/retrieval'
import type { NearestSlots } from '../nearest-slots.ts'
import type { StopCheck } from '../read-transaction.ts'
import { hitOf } from './match-entries.ts'
import type { EntryParts } from './match-entries.ts'
import { topEntries } from './top-entries.ts'

/** The exact nearest entries, by the scan of int8 rows that finds the nearest chunks. */
export function nearestEntries(
  request: NearestRequest,
  parts: EntryParts & { readonly nearest: NearestSlots },
  stop: StopCheck
): StructuredRecall {
  const { vector, k } = request
  const selections = parts.scopes.selectWithVector(request)
  // A page stands in one selection only, and one object stands for it throughout.
  const selectionOf = new Map(
    selections.flatMap((selection) =>
      [...selection.selected.pages.values()].map((slots) => [slots, selection] as const)
    )
  )
  const found = parts.nearest.find(
    // The part less 1 is the cosine as scores tell it apart: what ties as a score must tie here.
    { vector, limit: k, cosine: (slots, slot) => vectorPartOf(vector, parts.table.vector(slots.documents[slot]!)) - 1 },
    selections.map(({ selected }) => selected),
    stop
  )
  const scored = found.map(({ slots, slot, score }) => {
    return { selection: selectionOf.get(slots)!, row: slots.documents[slot]!, score: score + 1 }
  })
  const hits = topEntries(scored, k, parts.order).map((entry) =>
    hitOf({ ...entry, bm25: 0, vectorPart: entry.score }, parts, stop)
  )
  return { total: hits.length, hits }
}
