import type { FacetRequest, StructuredIndex, StructuredSelection } from '../../ports/index.ts'
import { WITHOUT_LIMIT } from '../../ports/index.ts'
import { rejectionOf } from '../test-api.ts'
import { atAngle, entryOf, home, ids, idSet, matchOf, neighbour, strictly } from './structured-data.ts'
import { writeAll } from './structured-suite.ts'
import type { Cases } from './structured-suite.ts'

function facetsOf(rest: Partial<FacetRequest>): FacetRequest {
  return { pairs: [home], filters: {}, ...strictly('disk'), fields: ['project', 'errorCodes'], buckets: 20, ...rest }
}

/** Equal in all that is scored, so that corpus order alone decides. */
async function writeEqual(index: StructuredIndex): Promise<void> {
  const entries = Array.from({ length: 12 }, (_, number) =>
    entryOf(home, `d${10 + number}`, { body: 'disk', createdAt: 50 - number })
  )
  await writeAll(index, [...entries, entryOf(neighbour, 'd10', { body: 'disk' })])
}

/** Documents that a request leaves out are as if they were not there; only statistics may still know them. */
export const withoutCases: Cases = {
  'without some: total and pages are those of the others, equal ones in their order': async ({ index, expect }) => {
    await writeEqual(index)
    const without = ['d21', 'd18', 'd10', 'never-was', '', 'nul \u0000 "inside"']
    const left = ['d20', 'd19', 'd17', 'd16', 'd15', 'd14', 'd13', 'd12', 'd11']
    for (const request of [strictly('disk'), strictly()]) {
      for (const [from, size] of [
        [0, 100],
        [0, 4],
        [3, 4],
        [8, 4],
        [20, 4],
        [0, 0]
      ] as const) {
        const page = await index.match(matchOf({ ...request, without, from, size }))
        expect({ total: page.total, ids: ids(page) }).toEqual({ total: 9, ids: left.slice(from, from + size) })
      }
    }
  },
  'without some: an id is left out in every pair, with filters and in any type; an empty list leaves nothing out':
    async ({ index, expect }) => {
      await writeAll(index, [
        entryOf(home, 'a', { project: 'p', body: 'disk' }),
        entryOf(neighbour, 'a', { project: 'p', body: 'disk', knowledgeType: 'setup' }),
        entryOf(neighbour, 'b', { project: 'p', body: 'disk', knowledgeType: 'setup' }),
        entryOf(home, 'c', { project: 'q', body: 'disk' })
      ])
      const both = { ...strictly('disk'), pairs: [home, neighbour] }
      expect(idSet(await index.match(matchOf({ ...both, without: ['a'] })))).toEqual(['b', 'c'])
      expect(idSet(await index.match(matchOf({ ...both, filters: { project: 'p' }, without: ['a'] })))).toEqual(['b'])
      const setup = { knowledgeType: 'setup' }
      expect(idSet(await index.match(matchOf({ ...both, filters: setup, without: ['b'] })))).toEqual(['a'])
      expect(idSet(await index.match(matchOf({ ...both, without: [] })))).toEqual(['a', 'a', 'b', 'c'])
      const nothing = await index.match(matchOf({ ...both, without: ['a', 'b', 'c'] }))
      expect(nothing).toEqual({ total: 0, hits: [] })
    },
  'without some: the window of the rescore is of the others': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    await writeAll(
      index,
      [5, 4, 3, 2].map((times) =>
        entryOf(home, `times-${times}`, { title: 'x', body: 'disk '.repeat(times), vector: atAngle(0, dimension) })
      )
    )
    const rescore = { vector: atAngle(0, dimension), window: 2, weight: 0.5 }
    const { hits } = await index.match(matchOf({ ...strictly('disk'), rescore, without: ['times-5', 'times-3'] }))
    const rescored = hits.filter(({ vectorPart }) => vectorPart > 1).map(({ document }) => document.documentId)
    expect(rescored).toEqual(['times-4', 'times-2'])
  },
  'without some: no facet counts them, and values of theirs alone are not there': async ({ index, expect }) => {
    await writeAll(index, [
      entryOf(home, 'a', { body: 'disk', project: 'p', errorCodes: ['E1', 'E2'] }),
      entryOf(home, 'b', { body: 'disk', project: 'p', errorCodes: ['E2'] }),
      entryOf(home, 'c', { body: 'disk', project: 'q', errorCodes: ['E3'] }),
      entryOf(home, 'd', { body: 'other', project: 'r' })
    ])
    expect(await index.facets(facetsOf({ without: ['a', 'd'] }))).toEqual({
      project: {
        buckets: [
          { value: 'p', count: 1 },
          { value: 'q', count: 1 }
        ],
        truncated: 0
      },
      errorCodes: {
        buckets: [
          { value: 'E2', count: 1 },
          { value: 'E3', count: 1 }
        ],
        truncated: 0
      }
    })
    const one = await index.facets(facetsOf({ without: ['b'], fields: ['errorCodes'], buckets: 1 }))
    expect(one).toEqual({ errorCodes: { buckets: [{ value: 'E1', count: 1 }], truncated: 2 } })
    const none = { buckets: [], truncated: 0 }
    expect(await index.facets(facetsOf({ without: ['a', 'b', 'c'] }))).toEqual({ project: none, errorCodes: none })
  },
  'without some: k nearest of the others are found': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    const angles = [0, 10, 20, 30, 40, 50]
    await writeAll(index, [
      ...angles.map((angle) => entryOf(home, `at-${angle}`, { vector: atAngle(angle, dimension) })),
      entryOf(home, 'bare')
    ])
    const request = { pairs: [home], filters: {}, vector: atAngle(0, dimension), k: 3, numCandidates: 100 }
    const found = await index.nearest({ ...request, without: ['at-0', 'at-20', 'bare'] })
    expect({ total: found.total, ids: ids(found) }).toEqual({ total: 3, ids: ['at-10', 'at-30', 'at-40'] })
    const all = angles.map((angle) => `at-${angle}`)
    expect(await index.nearest({ ...request, without: all })).toEqual({ total: 0, hits: [] })
  },
  'without some: takes as many ids as the limit says, and refuses one more in every search': async ({
    index,
    expect
  }) => {
    const vector = atAngle(0, index.capabilities.dimension)
    await writeAll(index, [entryOf(home, 'a', { body: 'disk', vector }), entryOf(home, 'b', { body: 'disk', vector })])
    const many = ['a', ...Array.from({ length: WITHOUT_LIMIT - 1 }, (_, number) => `never-was-${number}`)]
    const searches = (without: readonly string[]) => {
      const selection: StructuredSelection = { pairs: [home], filters: {}, without }
      return [
        async () => ids(await index.match(matchOf({ ...strictly('disk'), ...selection }))),
        async () => ids(await index.nearest({ ...selection, vector, k: 5, numCandidates: 100 })),
        async () => (await index.facets(facetsOf(selection))) && ['b']
      ]
    }
    for (const search of searches(many)) expect(await search()).toEqual(['b'])
    for (const search of searches([...many, 'one-more'])) {
      expect(((await rejectionOf(search())) as { failure?: unknown } | undefined)?.failure).toBe('invalid-argument')
    }
  }
}
