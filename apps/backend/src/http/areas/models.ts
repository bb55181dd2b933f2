import { routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import { answerLanguage } from '../answer-language.ts'
import type { HttpDependencies } from '../dependencies.ts'

/** Which models answer here, and whether they do. */
export function addModelRoutes(host: RouteHost, { models }: Pick<HttpDependencies, 'models'>): void {
  addRoute(host, routes.models, async () => ({ body: models.list() }))

  addRoute(host, routes.testModel, async ({ body }, { signal, request }) => {
    const language = answerLanguage(request.headers['accept-language'])
    return { headers: { vary: 'accept-language' }, body: await models.test({ part: body.part, language, signal }) }
  })
}
