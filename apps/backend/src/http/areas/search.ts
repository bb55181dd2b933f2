import { routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import { answerLanguage } from '../answer-language.ts'
import type { HttpDependencies } from '../dependencies.ts'

/** Structured search, and what people say of its documents. */
export function addSearchRoutes(host: RouteHost, { search }: HttpDependencies): void {
  addRoute(host, routes.search, async ({ body }, { caller, signal, request }) => {
    const language = answerLanguage(request.headers['accept-language'])
    return { headers: { vary: 'accept-language' }, body: await search.ask(caller, body, { language, signal }) }
  })

  addRoute(host, routes.giveSearchFeedback, async ({ body }, { caller }) => ({
    body: await search.giveFeedback(caller, body)
  }))

  addRoute(host, routes.searchFeedbackSummary, async (_input, { caller }) => ({
    body: await search.feedbackSummary(caller)
  }))
}
