import type { NearestRequest } from '../../ports/index.ts'
import { Random } from '../random.ts'
import { rejectionOf } from '../test-api.ts'
import { unitVector } from '../test-data.ts'
import { vectorPartOf } from '../../structured/index.ts'
import { atAngle, entryOf, home, ids, matchOf, neighbour, stranger, strictly } from './structured-data.ts'
import { streamOf, writeAll } from './structured-suite.ts'
import type { Cases } from './structured-suite.ts'

function nearestOf(vector: Float32Array, rest: Partial<NearestRequest> = {}): NearestRequest {
  return { vector, k: 10, numCandidates: 100, pairs: [home], filters: {}, ...rest }
}

/** Few enough documents that an approximate engine finds them all. */
export const nearestCases: Cases = {
  'finds the nearest with a vector, by cos + 1, without keywords': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    const angles = [180, 0, 90, 60]
    await writeAll(index, [
      ...angles.map((angle) => entryOf(home, `at-${angle}`, { vector: atAngle(angle, dimension) })),
      entryOf(home, 'without', { body: 'disk' })
    ])
    const found = await index.nearest(nearestOf(atAngle(0, dimension)))
    expect({ total: found.total, ids: ids(found) }).toEqual({ total: 4, ids: ['at-0', 'at-60', 'at-90', 'at-180'] })
    const scores = found.hits.map(({ score, bm25, vectorPart }) => bm25 === 0 && score === vectorPart && score)
    expect(scores.every((score, rank) => Math.abs(Number(score) - [2, 1.5, 1, 0][rank]!) < 1e-4)).toBe(true)
    const two = await index.nearest(nearestOf(atAngle(0, dimension), { k: 2 }))
    expect({ total: two.total, ids: ids(two) }).toEqual({ total: 2, ids: ['at-0', 'at-60'] })
  },
  'looks for the nearest inside scope and filters, so that k are found though nearer ones stand outside': async ({
    index,
    expect
  }) => {
    const { dimension } = index.capabilities
    const near = Array.from({ length: 30 }, (_, number) =>
      entryOf(number % 2 === 0 ? neighbour : stranger, `n${number}`, { vector: atAngle(0, dimension), project: 'p' })
    )
    await writeAll(index, [
      ...near,
      entryOf(home, 'filtered', { vector: atAngle(1, dimension), project: 'q' }),
      entryOf(home, 'far', { vector: atAngle(170, dimension), project: 'p' })
    ])
    const found = await index.nearest(nearestOf(atAngle(0, dimension), { k: 1, filters: { project: 'p' } }))
    expect(ids(found)).toEqual(['far'])
  },
  'refuses vectors of another width, not finite, or of norm 0, when searching and when writing': async ({
    index,
    expect
  }) => {
    const { dimension } = index.capabilities
    const infinite = atAngle(0, dimension).fill(Number.POSITIVE_INFINITY, 0, 1)
    for (const vector of [atAngle(0, dimension + 1), new Float32Array(0), new Float32Array(dimension), infinite]) {
      const rescore = { vector, window: 5, weight: 0.5 }
      const refused = [
        () => index.nearest(nearestOf(vector)),
        () => index.match(matchOf({ ...strictly('disk'), rescore })),
        () => index.replaceDocument(entryOf(home, 'bad', { vector }))
      ]
      for (const attempt of refused) {
        expect(((await rejectionOf(attempt())) as { failure?: unknown } | undefined)?.failure).toBe('invalid-argument')
      }
    }
    expect(await index.listDocuments(home)).toEqual([])
  }
}

/** Documents among which an approximate engine would miss some. */
const CROWD = 300

export const exactNearestCases: Cases = {
  'finds exactly the nearest of a crowd': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    const random = new Random(6)
    const entries = Array.from({ length: CROWD }, (_, number) =>
      entryOf(home, `d${1000 + number}`, { vector: unitVector(dimension, random) })
    )
    await index.rebuild(streamOf(entries))
    for (let round = 0; round < 5; round++) {
      const vector = unitVector(dimension, random)
      const scored = entries.map((entry) => ({ id: entry.documentId, score: vectorPartOf(vector, entry.vector) }))
      const expected = scored.toSorted((left, right) => right.score - left.score).slice(0, 10)
      expect(ids(await index.nearest(nearestOf(vector)))).toEqual(expected.map(({ id }) => id))
    }
  }
}
