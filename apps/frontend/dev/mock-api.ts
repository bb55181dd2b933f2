import { errorCatalogue, type Route, type RouteName, routes } from '@oncall-agent/api-contracts'
import { accessHandlers } from './mock-access.ts'
import { auditHandlers } from './mock-audit.ts'
import { chatHandlers } from './mock-chat.ts'
import { documentHandlers } from './mock-documents.ts'
import { knowledgeHandlers } from './mock-knowledge.ts'
import { modelHandlers } from './mock-models.ts'
import { type MockAnswer, type MockHandlers, MockRefusal } from './mock-request.ts'
import type { MockState } from './mock-state.ts'
import { promptHandlers } from './mock-prompts.ts'
import { searchHandlers } from './mock-search.ts'
import { serverHandlers } from './mock-servers.ts'
import { systemHandlers } from './mock-system.ts'

const handlers: MockHandlers = {
  ...accessHandlers,
  ...chatHandlers,
  ...knowledgeHandlers,
  ...documentHandlers,
  ...searchHandlers,
  ...systemHandlers,
  ...modelHandlers,
  ...promptHandlers,
  ...serverHandlers,
  ...auditHandlers
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
    const lastEventId = request.headers.get('last-event-id')
    const answer = handler({ params, query: url.searchParams, body, form, language, lastEventId, state })
    const status = answer.status ?? route.statuses[0] ?? 200
    if (answer.events !== undefined) return streamOf(route, answer.events, status)
    if (answer.body instanceof Blob) return new Response(answer.body, { status })
    if (status === 204 || route.response === undefined) return new Response(null, { status })
    return Response.json(route.response.parse(answer.body), { status })
  } catch (error) {
    return refusal(error)
  }
}

/** Events as they come, each checked; whoever stops listening ends it. */
function streamOf(route: Route, events: NonNullable<MockAnswer['events']>, status: number): Response {
  const left = events[Symbol.asyncIterator]()
  const text = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    // The heartbeat of the contract comes first, so that the head of the answer is not held back.
    start: (controller) => controller.enqueue(text.encode(': the mock\n\n')),
    pull: async (controller) => {
      const { value, done } = await left.next()
      if (done === true) return controller.close()
      const { id, event } = value
      route.events?.parse(event)
      controller.enqueue(text.encode(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
    }
  })
  return new Response(body, { status, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
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
