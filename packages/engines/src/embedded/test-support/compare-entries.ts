import type { FacetField, StructuredIndex } from '@oncall-agent/retrieval'
import type { MemoryStructuredIndex, Random } from '@oncall-agent/retrieval/conformance'
import type { ReadablePair } from '@oncall-agent/retrieval'
import { randomEntryVector, randomFilters, randomMatch, randomWithout } from './random-entries.ts'

const FIELDS: readonly FacetField[] = ['project', 'equipment', 'errorCodes']

/**
 * What differs between the index and brute force for one random question of each kind; null when nothing does. Scores are
 * compared as they are: both sides add the same numbers in the same order.
 */
export async function entryDifference(
  index: StructuredIndex,
  memory: MemoryStructuredIndex,
  pairs: readonly ReadablePair[],
  random: Random
): Promise<string | null> {
  const match = randomMatch(random, pairs)
  const facets = { ...randomMatch(random, pairs), fields: random.some(FIELDS, 0.7), buckets: random.pick([0, 2, 20]) }
  const k = random.pick([0, 1, 5, 1_000])
  const vector = randomEntryVector(random)
  const selection = { pairs: random.some(pairs, 0.7), filters: randomFilters(random), ...randomWithout(random) }
  const nearest = { ...selection, vector, k, numCandidates: k }
  const listed = random.pick(pairs)
  const answers = async (side: StructuredIndex): Promise<[string, unknown, unknown][]> => [
    ['match', match, await side.match(match)],
    ['facets', facets, await side.facets(facets)],
    ['nearest', nearest, await side.nearest(nearest)],
    ['list', listed, await side.listDocuments(listed)]
  ]
  const expected = await answers(memory)
  for (const [at, [kind, request, actual]] of (await answers(index)).entries()) {
    const [is, should] = [inOrder(actual), inOrder(expected[at]![2])]
    if (is !== should) return `${kind} of ${JSON.stringify(request)}\nis     ${is}\nshould ${should}`
  }
  return null
}

/** As JSON whose fields do not stand in the order in which they were made. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
  })
}
