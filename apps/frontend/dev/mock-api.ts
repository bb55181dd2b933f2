import { errorCatalogue, type Route, type RouteName, routes } from '@oncall-agent/api-contracts'
import { accessHandlers } from './mock-access.ts'
import { documentHandlers } from './mock-documents.ts'
import { knowledgeHandlers } from './mock-knowledge.ts'
import { modelHandlers } from './mock-models.ts'
import { type MockHandlers, MockRefusal } from './mock-request.ts'
import type { MockState } from './mock-state.ts'
import { searchHandlers } from './mock-search.ts'
import { systemHandlers } from './mock-system.ts'

const handlers: MockHandlers = {
  ...accessHandlers,
  ...knowledgeHandlers,
  ...documentHandlers,
  ...searchHandlers,
  ...systemHandlers,
  ...modelHandlers
}
let requests = 0

/**
 * A server in memory that speaks the contracts, for developing and testing the page: every answer is checked against
 * its route before it is given. Null for an address that is no route's.
 */
export async function answerMock(state: MockState, request: Request): Promise<Response | null> {
  const url = new URL(request.url)
  const match = matchRoute(request.method, url.pathname)
  if (match === null) return null
  try {
    const { name, route, params } = match
    if (state.broken.has(name)) throw new MockRefusal('SYSTEM_UNAVAILABLE')
    if (route.access !== 'anyone' && state.me === null) throw new MockRefusal('AUTH_REQUIRED')
    const handler = handlers[name]
    if (handler === undefined) throw new MockRefusal('NOT_FOUND')
    const form = route.form === undefined ? null : await request.formData()
    const body: unknown = route.body === undefined ? undefined : route.body.parse(await request.json())
    const language = request.headers.get('accept-language') ?? ''
    const answer = handler({ params, query: url.searchParams, body, form, language, state })
    const status = answer.status ?? route.statuses[0] ?? 200
    if (answer.body instanceof Blob) return new Response(answer.body, { status })
    if (status === 204 || route.response === undefined) return new Response(null, { status })
    return Response.json(route.response.parse(answer.body), { status })
  } catch (error) {
    return refusal(error)
  }
}

function refusal(error: unknown): Response {
  if (!(error instanceof MockRefusal)) console.error(error)
  const refused = error instanceof MockRefusal ? error : new MockRefusal('VALIDATION_FAILED', undefined, String(error))
  const { code, message, details } = refused
  const requestId = `req-${(++requests).toString().padStart(6, '0')}`
  return Response.json({ error: { code, message, requestId, details } }, { status: errorCatalogue[code].status })
}

interface Match {
  readonly name: RouteName
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** An address that is written out is meant before one with a parameter in its place: `/prompts/export`, `/prompts/:id`. */
const inOrder = (Object.entries(routes) as [RouteName, Route][]).toSorted(
  ([, a], [, b]) => Number(a.path.includes(':')) - Number(b.path.includes(':'))
)

function matchRoute(method: string, path: string): Match | null {
  for (const [name, route] of inOrder) {
    if (route.method !== method || name === 'docs' || name === 'openapi') continue
    const pattern = new RegExp(`^${route.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const found = pattern.exec(path)
    if (found === null) continue
    const params = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)])
    return { name, route, params: Object.fromEntries(params) as Record<string, string> }
  }
  return null
}
