import type { RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { addAccessRoutes } from './access.ts'
import { addChatRoutes } from './chat.ts'
import { addDocumentRoutes } from './documents.ts'
import { addIndexTaskRoutes } from './index-tasks.ts'
import { addKnowledgeRoutes } from './knowledge.ts'
import { addMcpEndpoint } from './mcp-endpoint.ts'
import { addMcpServerRoutes } from './mcp-servers.ts'
import { addModelRoutes } from './models.ts'
import { addPromptRoutes } from './prompts.ts'
import { addRetrievalRoutes } from './retrieval.ts'
import { addSearchRoutes } from './search.ts'
import { addSystemRoutes } from './system.ts'
import { addToolAuditRoutes } from './tool-audit.ts'

/** The routes of the table, each with the one call that answers it. */
export function addRoutes(host: RouteHost, dependencies: HttpDependencies): void {
  addSystemRoutes(host, dependencies)
  addAccessRoutes(host, dependencies)
  addKnowledgeRoutes(host, dependencies)
  addDocumentRoutes(host, dependencies)
  addIndexTaskRoutes(host, dependencies)
  addRetrievalRoutes(host, dependencies)
  addSearchRoutes(host, dependencies)
  addChatRoutes(host, dependencies)
  addToolAuditRoutes(host, dependencies)
  addPromptRoutes(host, dependencies)
  addModelRoutes(host, dependencies)
  addMcpServerRoutes(host, dependencies)
  addMcpEndpoint(host, dependencies)
}
