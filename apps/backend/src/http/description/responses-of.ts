import { type ErrorCode, errorBodySchema, errorCatalogue, errorsOf, type Route } from '@oncall-agent/api-contracts'

/**
 * Good answers and errors by status, as the server checks and tells them; several codes of one status share its
 * description. What comes as bytes is described later: only what has a schema is checked.
 */
export function responsesOf(route: Route): Record<number, unknown> {
  const responses: Record<number, unknown> = {}
  const codes: readonly ErrorCode[] = errorsOf(route)
  for (const status of new Set(codes.map((code) => errorCatalogue[code].status))) {
    const described = codes.filter((code) => errorCatalogue[code].status === status).join(', ')
    responses[status] = { description: described, content: { 'application/json': { schema: errorBodySchema } } }
  }
  for (const status of route.response ? route.statuses : []) {
    responses[status] = { description: route.summary, content: { 'application/json': { schema: route.response } } }
  }
  return responses
}
