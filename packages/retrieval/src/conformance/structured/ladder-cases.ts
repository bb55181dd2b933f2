import { DEFAULT_STRUCTURED_SETTINGS } from '../../structured/index.ts'
import { vectorOfText } from '../test-data.ts'
import { atAngle, entryOf, home, ids, idSet, stranger } from './structured-data.ts'
import { ask, writeAll } from './structured-suite.ts'
import type { Cases } from './structured-suite.ts'

const LIMIT = DEFAULT_STRUCTURED_SETTINGS.strictMaxHits
const LOOSE_BANNER = '没有完全匹配的知识，以下为相关参考，仅供参考。'

function many(number: number, body: string): ReturnType<typeof entryOf>[] {
  return Array.from({ length: number }, (_, copy) =>
    entryOf(home, `d${10 + copy}`, { body, project: `p${copy % 2}`, errorCodes: [`E${10 + copy}`] })
  )
}

/** Contract 2 as a caller sees it: the ladder on the index. */
export const ladderCases: Cases = {
  'strict_hit up to the limit, too_many with facets and without documents one above': async ({ index, expect }) => {
    await writeAll(index, many(LIMIT, 'disk'))
    const hit = await ask(index, { keywords: ['disk'] })
    expect({ status: hit.status, total: hit.total, hits: hit.hits.length }).toEqual({
      status: 'strict_hit',
      total: LIMIT,
      hits: LIMIT
    })
    expect([hit.facets, hit.banner]).toEqual([undefined, undefined])
    await writeAll(index, [entryOf(home, 'last', { body: 'disk' })])
    const { status, total, hits, facets, facetsTruncated } = await ask(index, { keywords: ['disk'] })
    expect({ status, total, hits }).toEqual({ status: 'too_many', total: LIMIT + 1, hits: [] })
    expect(facets?.project).toEqual([
      { value: 'p0', count: LIMIT / 2 },
      { value: 'p1', count: LIMIT / 2 }
    ])
    expect([facets?.equipment, facets?.error_codes.length]).toEqual([[], LIMIT])
    expect(facetsTruncated).toEqual({ project: 0, equipment: 0, error_codes: 0 })
  },
  'too_many shows twenty values a facet and counts the rest': async ({ index, expect }) => {
    await writeAll(index, many(23, 'disk'))
    const { facets, facetsTruncated } = await ask(index, {})
    expect(facets?.error_codes.length).toBe(20)
    expect(facetsTruncated).toEqual({ project: 0, equipment: 0, error_codes: 3 })
  },
  'loose_hit with the banner only where strict finds nothing': async ({ index, expect }) => {
    await writeAll(index, [
      entryOf(home, 'gateway', { body: 'gateway' }),
      entryOf(home, 'timeout', { body: 'timeout' }),
      entryOf(home, 'both', { body: 'gateway timeout' })
    ])
    const strict = await ask(index, { keywords: ['gateway', 'timeout'] })
    expect([strict.status, ids(strict), strict.banner]).toEqual(['strict_hit', ['both'], undefined])
    const loose = await ask(index, { keywords: ['gateway', 'nowhere'] })
    expect([loose.status, loose.total, idSet(loose), loose.banner]).toEqual([
      'loose_hit',
      2,
      ['both', 'gateway'],
      LOOSE_BANNER
    ])
  },
  'loose_hit has no limit and pages': async ({ index, expect }) => {
    await writeAll(index, many(LIMIT + 5, 'disk'))
    const all = await ask(index, { keywords: ['disk', 'nowhere'], size: 100 })
    expect([all.status, all.total, all.hits.length]).toEqual(['loose_hit', LIMIT + 5, LIMIT + 5])
    const page = await ask(index, { keywords: ['disk', 'nowhere'], size: 5, from_: 5 })
    expect([page.total, ids(page)]).toEqual([LIMIT + 5, ids(all).slice(5, 10)])
  },
  'vector_only with a low-confidence banner where no keyword matches and a sentence is there': async ({
    index,
    expect
  }) => {
    const vector = vectorOfText('why is it slow', index.capabilities.dimension)
    await writeAll(index, [entryOf(home, 'near', { body: 'disk', vector }), entryOf(home, 'without', { body: 'full' })])
    const found = await ask(index, { keywords: ['nowhere'], query_text: 'why is it slow' })
    expect([found.status, found.total, ids(found)]).toEqual(['vector_only', 1, ['near']])
    expect(typeof found.banner === 'string' && found.banner !== LOOSE_BANNER).toBe(true)
    const without = await ask(index, { keywords: ['nowhere'] })
    expect([without.status, without.total, without.hits, without.banner]).toEqual(['no_hit', 0, [], undefined])
  },
  'filters hold on every rung: nothing outside them is found by meaning either': async ({ index, expect }) => {
    const vector = atAngle(0, index.capabilities.dimension)
    await writeAll(index, [
      entryOf(home, 'other-project', { body: 'disk', project: 'q', vector }),
      entryOf(stranger, 'theirs', { body: 'disk', project: 'p', vector })
    ])
    const found = await ask(index, { keywords: ['disk'], project: 'p', query_text: 'disk' })
    expect([found.status, found.total]).toEqual(['no_hit', 0])
  },
  'a mode runs its stage alone': async ({ index, expect }) => {
    const vector = atAngle(0, index.capabilities.dimension)
    await writeAll(index, [entryOf(home, 'd', { body: 'gateway', vector })])
    const statusOf = async (mode: string, ...keywords: string[]): Promise<string> =>
      (await ask(index, { mode, keywords, query_text: 'anything' })).status
    expect(await statusOf('strict', 'gateway')).toBe('strict_hit')
    expect(await statusOf('strict', 'gateway', 'nowhere')).toBe('no_hit')
    expect(await statusOf('loose', 'gateway', 'nowhere')).toBe('loose_hit')
    expect(await statusOf('loose', 'nowhere')).toBe('no_hit')
    expect(await statusOf('vector_only', 'nowhere')).toBe('vector_only')
    expect(await statusOf('auto', 'nowhere')).toBe('vector_only')
  },
  'rescoring puts the document that means the question first': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    await writeAll(index, [
      entryOf(home, 'words', { body: 'disk disk disk', vector: vectorOfText('elsewhere', dimension) }),
      entryOf(home, 'meaning', { body: 'disk and more', vector: vectorOfText('free some space', dimension) })
    ])
    const settings = { vectorWeight: 0.9 }
    const found = await ask(index, { keywords: ['disk'], query_text: 'free some space' }, { settings })
    expect([found.status, ids(found)]).toEqual(['strict_hit', ['meaning', 'words']])
  },
  'no readable knowledge base is no_hit': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'd', { body: 'disk' })])
    const found = await ask(index, { keywords: ['disk'], query_text: 'disk' }, { pairs: [] })
    expect(found).toEqual({ status: 'no_hit', total: 0, hits: [], stages: [] })
  }
}
