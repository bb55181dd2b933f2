import type { Facet, FacetField } from '../../ports/index.ts'
import type { LadderRun } from './ladder-run.ts'
import { strictMatch } from './match-keywords.ts'
import type { FacetName, StructuredAnswer } from './structured-answer.ts'

/** Values that a facet shows. */
const FACET_BUCKETS = 20
const FIELDS: readonly FacetField[] = ['project', 'equipment', 'errorCodes']
const NO_VALUES: Facet = { buckets: [], truncated: 0 }

/** Instead of too many documents: how their values are spread, so that the caller can narrow the question. */
export async function countFacets(run: LadderRun): Promise<Pick<StructuredAnswer, 'facets' | 'facetsTruncated'>> {
  const startedAt = run.now()
  const { pairs, filters } = run.question
  const request = { ...strictMatch(run), pairs, filters, fields: FIELDS, buckets: FACET_BUCKETS }
  const {
    project = NO_VALUES,
    equipment = NO_VALUES,
    errorCodes = NO_VALUES
  } = await run.index.facets(request, run.signal)
  const found = project.buckets.length + equipment.buckets.length + errorCodes.buckets.length
  run.stages.push({ name: 'facets', status: found === 0 ? 'empty' : 'ok', found, tookMs: run.now() - startedAt })
  return {
    facets: byName((facet) => facet.buckets),
    facetsTruncated: byName((facet) => facet.truncated)
  }

  function byName<Value>(valueOf: (facet: Facet) => Value): Record<FacetName, Value> {
    return { project: valueOf(project), equipment: valueOf(equipment), error_codes: valueOf(errorCodes) }
  }
}
