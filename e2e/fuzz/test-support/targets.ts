import fc from 'fast-check'
import { type Route, type RouteName, routes } from '@oncall-agent/api-contracts'
import type { FuzzedServer, Owner } from './fuzzed-server.ts'

interface Parts {
  readonly method?: string
  readonly path?: string
  readonly headers?: readonly string[]
  readonly body?: Buffer
}

/** A route as somebody would call it, whole but for what a test spoils. */
export interface Target {
  readonly route: Route
  /** With ids that name something. */
  readonly path: string
  /** A good body; empty for routes that take none. */
  readonly body: Readonly<Record<string, unknown>>
  /** The bytes of the request; `headers` are lines, before those of who asks and of the length. */
  request(parts: Parts): Buffer
}

const bodies: Readonly<Partial<Record<RouteName, Readonly<Record<string, unknown>>>>> = {
  bootstrap: { username: 'eve', password: 'correct horse battery' },
  login: { username: 'nobody', password: 'correct horse battery' },
  changePassword: { currentPassword: 'wrong', newPassword: 'correct horse battery' },
  createApiKey: { name: 'k', scopes: ['retrieve'] },
  createUser: { username: 'cy', password: 'correct horse battery', role: 'member' },
  changeUser: { role: 'member' },
  createKnowledgeBase: { name: 'n', description: 'd' },
  changeKnowledgeBase: { name: 'n', description: 'd' },
  retrieve: { query: 'etcd', topK: 3, filters: { metadata: { a: 1 } } },
  search: { keywords: ['etcd'], query_text: 'etcd', mode: 'auto', size: 3, settings: { title_boost: 2 } },
  giveSearchFeedback: { search_id: 's', document_id: 'd', verdict: 'up' }
}

/** The route as an administrator, a member with a key and nobody call it. */
export function targets(name: RouteName, { admin, member }: FuzzedServer): readonly Target[] {
  // It would end the session that the other requests need.
  const callers = name === 'logout' ? [member, undefined] : [admin, member, undefined]
  return callers.map((caller) => targetOf(name, caller, caller ?? member))
}

function targetOf(name: RouteName, caller: Owner | undefined, { ids }: Owner): Target {
  const route: Route = routes[name]
  const deletes = name.startsWith('delete')
  const id = route.path.includes('/knowledge-bases/')
    ? ids[deletes ? 'spareBase' : 'base']
    : route.path.includes('/index-tasks/')
      ? ids.task
      : ids[deletes ? 'spareDocument' : 'document']
  const path = route.path.replace(':id', id).replace(':userId', ids.otherUser).replace(':runId', 'run')
  return {
    route,
    path,
    body: bodies[name] ?? {},
    request: (parts) => bytesOf(route, path, caller, parts),
    // What a failure shows, instead of the whole contract.
    [fc.toStringMethod]: () => `${name} of ${caller?.credentials.name ?? 'nobody'}`
  } as Target
}

function bytesOf(route: Route, path: string, caller: Owner | undefined, parts: Parts): Buffer {
  const lines = [
    `${parts.method ?? route.method} ${parts.path ?? path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(parts.headers ?? []),
    ...(caller ? [`${caller.credentials.name}: ${caller.credentials.value}`] : []),
    ...(parts.body ? [`content-length: ${parts.body.length}`] : []),
    '',
    ''
  ]
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), parts.body ?? Buffer.of()])
}

/** What the server's own description says that each route answers with. */
export async function documentedStatuses(address: string): Promise<(route: Route) => readonly number[]> {
  const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
  }
  const faults = new Set([500, 503, 507])
  return ({ method, path }) => {
    const { responses } = paths[path.replaceAll(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
    // Nothing here is out of order, so a documented fault is a fault all the same.
    return Object.keys(responses)
      .map(Number)
      .filter((status) => !faults.has(status))
  }
}
