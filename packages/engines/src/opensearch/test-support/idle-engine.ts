import { markOf } from '../indices/mapping.ts'
import { fingerprint } from './engine-for-tests.ts'
import type { Answering, Recorded } from './scripted-engine.ts'

const ALIASES = ['kb_alarm_v1', 'kb_setup_v1', 'kb_experience_v1']

export const openSearchVersion = { version: { distribution: 'opensearch', number: '2.19.6' } }
export const elasticsearchVersion = { version: { number: '8.19.0', build_flavor: 'default' } }

/** The answer of a search that found nothing. */
export const nothingFound = {
  timed_out: false,
  _shards: { total: 3, successful: 3, skipped: 0, failed: 0 },
  hits: { total: { value: 0, relation: 'eq' }, hits: [] }
}

/** Answers as an engine does that holds our three indices and no document; swaps aliases as it is told. */
export function idleEngine(version: object, embedder = fingerprint): Answering {
  let standing = new Map(ALIASES.map((alias) => [`${alias}_20260101000000_00000000`, [alias]]))
  const described = (): object => {
    const about = [...standing].map(([index, aliases]) => [
      index,
      { aliases: Object.fromEntries(aliases.map((alias) => [alias, {}])), mappings: { _meta: markOf(embedder) } }
    ])
    return Object.fromEntries(about) as object
  }
  return ({ call, body }: Recorded) => {
    const [method, path = ''] = call.split(' ')
    if (call === 'GET /') return version
    if (path.endsWith('/_search')) return nothingFound
    if (path.endsWith('/_count')) return { count: 0, _shards: { failed: 0 } }
    if (path.endsWith('/_refresh')) return { _shards: { failed: 0 } }
    if (path === '/_aliases') {
      const { actions } = body as { actions: { add?: { index: string; alias: string } }[] }
      standing = new Map(actions.flatMap(({ add }) => (add === undefined ? [] : [[add.index, [add.alias]] as const])))
      return { acknowledged: true }
    }
    if (path === '/_mget') return { docs: ALIASES.map(() => ({ found: false })) }
    if (path === '/_bulk') return { items: bulkItems(body as object[]) }
    if (method === 'GET') return described()
    if (method === 'PUT' || method === 'DELETE') return { acknowledged: true, shards_acknowledged: true }
    return undefined
  }
}

/** One item an operation, all of them done. */
export function bulkItems(lines: readonly object[]): object[] {
  return lines.flatMap((line) => {
    const [kind] = ['index', 'delete'].filter((each) => each in line)
    return kind === undefined ? [] : [{ [kind]: { _index: 'kb_alarm_v1_20260101000000_00000000', status: 200 } }]
  })
}
