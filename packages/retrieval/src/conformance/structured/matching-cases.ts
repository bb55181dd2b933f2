import type { StructuredFilters } from '../../ports/index.ts'
import {
  atAngle,
  entryOf,
  home,
  ids,
  idSet,
  loosely,
  matchOf,
  neighbour,
  strictly,
  stranger
} from './structured-data.ts'
import { writeAll } from './structured-suite.ts'
import type { Cases, StructuredContext } from './structured-suite.ts'
import { pairOf } from '../test-data.ts'

type Matching = ReturnType<typeof strictly> | ReturnType<typeof loosely>

async function found(
  { index }: StructuredContext,
  match: Matching,
  filters: StructuredFilters = {}
): Promise<string[]> {
  return idSet(await index.match(matchOf({ ...match, filters })))
}

/** Which documents match, by keywords, filters and scope. No case looks at scores. */
export const matchingCases: Cases = {
  'strict: every keyword matches, each for itself in title or body': async (context) => {
    await writeAll(context.index, [
      entryOf(home, 'split', { title: 'gateway', body: 'timeout of the disk' }),
      entryOf(home, 'body', { title: 'notes', body: 'gateway timeout' }),
      entryOf(home, 'half', { title: 'gateway', body: 'restart' })
    ])
    context.expect(await found(context, strictly('gateway', 'timeout'))).toEqual(['body', 'split'])
    context.expect(await found(context, strictly('timeout', 'gateway', 'nowhere'))).toEqual([])
  },
  'strict: all tokens of one keyword stand in one field': async (context) => {
    await writeAll(context.index, [
      entryOf(home, 'split', { title: 'gateway', body: 'timeout' }),
      entryOf(home, 'title', { title: 'timeout of the gateway' }),
      entryOf(home, 'body', { body: 'gateway, then timeout' })
    ])
    context.expect(await found(context, strictly('gateway timeout'))).toEqual(['body', 'title'])
  },
  'without keywords strict matches everything in the filtered scope, and loose nothing': async (context) => {
    await writeAll(context.index, [entryOf(home, 'a', { project: 'p' }), entryOf(home, 'b'), entryOf(stranger, 'c')])
    context.expect(await found(context, strictly())).toEqual(['a', 'b'])
    context.expect(await found(context, strictly(), { project: 'p' })).toEqual(['a'])
    context.expect(await found(context, loosely())).toEqual([])
  },
  'a keyword without tokens matches nothing, and spoils a strict match': async (context) => {
    await writeAll(context.index, [entryOf(home, 'a', { body: 'disk ？！' })])
    context.expect(await found(context, strictly('？！'))).toEqual([])
    context.expect(await found(context, strictly('disk', '？！'))).toEqual([])
    context.expect(await found(context, loosely('disk', '？！'))).toEqual(['a'])
  },
  'loose: 60 % of a keyword, rounded up, in one field; one shared Chinese character is no match': async (context) => {
    await writeAll(context.index, [
      entryOf(home, 'one', { body: '磁铁' }),
      entryOf(home, 'both-apart', { body: '磁铁与盘子' }),
      entryOf(home, 'whole', { title: '磁盘' }),
      entryOf(home, 'over-two-fields', { title: '磁铁', body: '盘子' })
    ])
    context.expect(await found(context, loosely('磁盘'))).toEqual(['both-apart', 'whole'])
    context.expect(await found(context, strictly('磁盘'))).toEqual(['whole'])
  },
  'loose: three of five tokens are enough, two are not, and one keyword of several is enough': async (context) => {
    const keyword = 'alpha beta gamma delta epsilon'
    await writeAll(context.index, [
      entryOf(home, 'three', { body: 'alpha gamma epsilon' }),
      entryOf(home, 'two', { body: 'alpha gamma' })
    ])
    context.expect(await found(context, loosely(keyword))).toEqual(['three'])
    context.expect(await found(context, loosely(keyword, 'gamma', 'nowhere'))).toEqual(['three', 'two'])
  },
  'finds one Chinese character, an astral one, and identifiers glued to Chinese': async (context) => {
    await writeAll(context.index, [
      entryOf(home, 'dragon', { body: '今天玩成语接龙游戏' }),
      entryOf(home, 'astral', { title: '𠮷野家' }),
      entryOf(home, 'glued', { body: '网关报错E_CONN_RESET后重启，见KubePodCrashLooping告警' })
    ])
    for (const [keyword, id] of [
      ['龙', 'dragon'],
      ['𠮷', 'astral'],
      ['e_conn_reset', 'glued'],
      ['kubepodcrashlooping', 'glued'],
      ['Crash', 'glued'],
      ['报错', 'glued']
    ] as const) {
      context.expect({ keyword, found: await found(context, strictly(keyword)) }).toEqual({ keyword, found: [id] })
    }
  },
  'filters are exact, case and all; several error codes are any of them; filters add up': async (context) => {
    await writeAll(context.index, [
      entryOf(home, 'a', { project: 'Pay', equipment: 'gw 1', errorCodes: ['E1', 'E2'] }),
      entryOf(home, 'b', { project: 'Pay', equipment: 'gw', errorCodes: ['E3'] }),
      entryOf(home, 'c', { project: 'pay', knowledgeType: 'setup', errorCodes: ['E1'] }),
      entryOf(home, 'd')
    ])
    const cases: [StructuredFilters, string[]][] = [
      [{ project: 'Pay' }, ['a', 'b']],
      [{ project: 'pay' }, ['c']],
      [{ project: 'Pa' }, []],
      [{ equipment: 'gw' }, ['b']],
      [{ errorCodes: ['E1'] }, ['a', 'c']],
      [{ errorCodes: ['E2', 'E3'] }, ['a', 'b']],
      [{ errorCodes: ['e1', 'E'] }, []],
      [{ errorCodes: [] }, []],
      [{ knowledgeType: 'setup' }, ['c']],
      [{ project: 'Pay', errorCodes: ['E1', 'E3'], equipment: 'gw', knowledgeType: 'alarm' }, ['b']]
    ]
    for (const [filters, expected] of cases) {
      context
        .expect({ filters, found: await found(context, strictly(), filters) })
        .toEqual({ filters, found: expected })
    }
  },
  'without a type all types are searched': async (context) => {
    const types = context.index.capabilities.knowledgeTypes
    await writeAll(
      context.index,
      types.map((knowledgeType) => entryOf(home, knowledgeType, { knowledgeType, body: 'disk' }))
    )
    context.expect(await found(context, strictly('disk'))).toEqual(types.toSorted())
  },
  'keeps tenants apart though their knowledge bases have one name, and takes the union of many': async (context) => {
    const { index, expect } = context
    const many = Array.from({ length: 20 }, (_, number) => pairOf('tenant', `kb-${10 + number}`))
    await writeAll(index, [
      ...[home, stranger].map((pair) => entryOf(pair, pair.tenantId, { body: 'disk' })),
      ...many.map((pair) => entryOf(pair, pair.knowledgeBaseId, { body: 'disk' }))
    ])
    expect(await found(context, strictly('disk'))).toEqual(['tenant'])
    const crossed = [pairOf('tenant', 'kb-unknown'), pairOf('stranger', 'kb-10')]
    expect(ids(await index.match(matchOf({ ...strictly('disk'), pairs: crossed })))).toEqual([])
    expect(idSet(await index.match(matchOf({ ...strictly('disk'), pairs: many })))).toEqual(
      many.map((pair) => pair.knowledgeBaseId)
    )
  },
  'answers no readable pair with nothing: hits, total, facets and nearest': async ({ index, expect }) => {
    const vector = atAngle(0, index.capabilities.dimension)
    await writeAll(index, [entryOf(home, 'a', { project: 'p', body: 'disk', vector })])
    const nothing = { total: 0, hits: [] }
    expect(await index.match(matchOf({ pairs: [] }))).toEqual(nothing)
    expect(await index.nearest({ vector, k: 5, numCandidates: 100, pairs: [], filters: {} })).toEqual(nothing)
    const { project } = await index.facets({ ...matchOf({ pairs: [] }), fields: ['project'], buckets: 20 })
    expect(project).toEqual({ buckets: [], truncated: 0 })
  },
  'pages: total counts all, pages are slices of one order, and a page behind the end is empty': async ({
    index,
    expect
  }) => {
    const entries = Array.from({ length: 25 }, (_, number) =>
      entryOf(home, `d${10 + number}`, { body: 'disk '.repeat(1 + (number % 5)), createdAt: number })
    )
    await writeAll(index, [...entries, entryOf(neighbour, 'other', { body: 'disk' })])
    const all = await index.match(matchOf(strictly('disk')))
    expect({ total: all.total, hits: all.hits.length }).toEqual({ total: 25, hits: 25 })
    for (const from of [0, 10, 20, 25, 90]) {
      const page = await index.match(matchOf({ ...strictly('disk'), from, size: 10 }))
      expect({ total: page.total, ids: ids(page) }).toEqual({ total: 25, ids: ids(all).slice(from, from + 10) })
    }
  },
  'gives a document back as it was written, without its vector': async ({ index, expect }) => {
    const vector = atAngle(0, index.capabilities.dimension)
    const whole = { project: 'p', equipment: 'e', errorCodes: ['E1', 'E2'], title: '网关 🚦', body: 'disk\nfull' }
    await writeAll(index, [entryOf(home, 'whole', { ...whole, vector }), entryOf(home, 'bare', { body: 'bare' })])
    const { hits } = await index.match(matchOf(strictly('disk')))
    expect(hits.map((hit) => hit.document)).toEqual([entryOf(home, 'whole', whole)])
    const bare = await index.match(matchOf(strictly('bare')))
    expect(bare.hits.map((hit) => hit.document)).toEqual([entryOf(home, 'bare', { body: 'bare' })])
  }
}
