import { accessRoutes } from './access-routes.ts'
import { chatRoutes } from './chat-routes.ts'
import { documentRoutes } from './document-routes.ts'
import { knowledgeRoutes } from './knowledge-routes.ts'
import { promptRoutes } from './prompt-routes.ts'
import { retrievalRoutes } from './retrieval-routes.ts'
import type { Route } from './route.ts'
import { searchRoutes } from './search-routes.ts'
import { systemRoutes } from './system-routes.ts'
import { toolRoutes } from './tool-routes.ts'

/** Every route of the server; what is not here does not exist. */
export const routes = {
  ...systemRoutes,
  ...accessRoutes,
  ...knowledgeRoutes,
  ...documentRoutes,
  ...retrievalRoutes,
  ...searchRoutes,
  ...chatRoutes,
  ...promptRoutes,
  ...toolRoutes
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
