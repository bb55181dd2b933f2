import type { FacetField, FacetRequest } from '../../ports/index.ts'
import { entryOf, home, loosely, matchOf, stranger, strictly } from './structured-data.ts'
import type { EntryDraft } from './structured-data.ts'
import { writeAll } from './structured-suite.ts'
import type { Cases } from './structured-suite.ts'

const FIELDS: readonly FacetField[] = ['project', 'equipment', 'errorCodes']

function facetsOf(rest: Partial<FacetRequest> = {}): FacetRequest {
  const { pairs, filters } = matchOf({})
  return { pairs, filters, ...strictly(), fields: FIELDS, buckets: 20, ...rest }
}

/** As many documents as the number says, with the draft. */
function copies(name: string, number: number, draft: EntryDraft): ReturnType<typeof entryOf>[] {
  return Array.from({ length: number }, (_, copy) => entryOf(home, `${name}-${copy}`, draft))
}

/** Names that sort as their numbers do. */
function nameOf(number: number): string {
  return `p${10 + number}`
}

export const facetCases: Cases = {
  'counts documents a value, the most frequent first, equal ones by value; absent values count nowhere': async ({
    index,
    expect
  }) => {
    await writeAll(index, [
      ...copies('a', 2, { project: 'beta', equipment: 'gw', errorCodes: ['E2', 'E1'] }),
      ...copies('b', 1, { project: 'alpha', errorCodes: ['E1'] }),
      ...copies('c', 1, { project: 'Zeta' }),
      ...copies('d', 3, {}),
      entryOf(stranger, 'theirs', { project: 'secret' })
    ])
    expect(await index.facets(facetsOf())).toEqual({
      project: {
        buckets: [
          { value: 'beta', count: 2 },
          { value: 'Zeta', count: 1 },
          { value: 'alpha', count: 1 }
        ],
        truncated: 0
      },
      equipment: { buckets: [{ value: 'gw', count: 2 }], truncated: 0 },
      errorCodes: {
        buckets: [
          { value: 'E1', count: 3 },
          { value: 'E2', count: 2 }
        ],
        truncated: 0
      }
    })
  },
  'counts the documents that match, with their filters, and only the fields asked for': async ({ index, expect }) => {
    await writeAll(index, [
      ...copies('disk', 2, { project: 'a', body: 'disk' }),
      ...copies('other', 2, { project: 'a', body: 'gateway' }),
      ...copies('setup', 1, { project: 'b', body: 'disk', knowledgeType: 'setup' })
    ])
    const fields: readonly FacetField[] = ['project']
    const matched = await index.facets(facetsOf({ ...strictly('disk'), fields }))
    expect(matched).toEqual({
      project: {
        buckets: [
          { value: 'a', count: 2 },
          { value: 'b', count: 1 }
        ],
        truncated: 0
      }
    })
    const filters = { knowledgeType: 'alarm' }
    const filtered = await index.facets(facetsOf({ ...loosely('disk', 'gateway'), fields, filters }))
    expect(filtered).toEqual({ project: { buckets: [{ value: 'a', count: 4 }], truncated: 0 } })
  },
  'says how many values of documents stand beyond the buckets': async ({ index, expect }) => {
    const entries = Array.from({ length: 25 }, (_, number) =>
      copies(`d${number}`, number < 5 ? 1 : 2, {
        project: nameOf(number),
        errorCodes: [`${nameOf(number)}-1`, 'shared']
      })
    ).flat()
    await writeAll(index, entries)
    const { project, errorCodes } = await index.facets(facetsOf())
    const twice = Array.from({ length: 20 }, (_, number) => ({ value: nameOf(number + 5), count: 2 }))
    expect(project).toEqual({ buckets: twice, truncated: 5 })
    expect(errorCodes!.buckets[0]).toEqual({ value: 'shared', count: entries.length })
    expect(errorCodes!.truncated).toBe(2 + 5)
    const narrow = await index.facets(facetsOf({ fields: ['project'], buckets: 3 }))
    expect(narrow).toEqual({ project: { buckets: twice.slice(0, 3), truncated: 17 * 2 + 5 } })
  },
  'counts a code that a document repeats once': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'a', { errorCodes: ['E1', 'E1'] })])
    const { errorCodes } = await index.facets(facetsOf())
    expect(errorCodes).toEqual({ buckets: [{ value: 'E1', count: 1 }], truncated: 0 })
  }
}
