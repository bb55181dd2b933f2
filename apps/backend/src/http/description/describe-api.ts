import swagger from '@fastify/swagger'
import { type Route, routes } from '@oncall-agent/api-contracts'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { cleanSchema, describeOperation } from './describe-operation.ts'
import type { OpenApiDescription, Operation } from './openapi.ts'

const zodToJsonConfig = { override: cleanSchema }

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'oncall_session', description: 'Set by signing in.' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key, made by POST /api/v1/api-keys.' }
} as const

/** Builds the OpenAPI 3.1 description from the schemas of the routes that are added after this. */
export async function describeApi(server: FastifyInstance, version: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'OncallAgent',
        version,
        description: 'Runbook evidence that explains itself. Errors are listed in docs/errors.md.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
      },
      components: { securitySchemes }
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig })
  })
}

/** The description of everything in the table, in its order. */
export function apiDescription(server: FastifyInstance): OpenApiDescription {
  const generated = server.swagger() as unknown as OpenApiDescription
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const method = route.method.toLowerCase()
    const operation = generated.paths[path]?.[method] ?? {}
    paths[path] = { ...paths[path], [method]: describeOperation(name, tagOf(route), route, operation) }
  }
  return { ...generated, paths }
}

/** By what follows the prefix: where people look for it. */
function tagOf({ path }: Route): string {
  const [, first = ''] = /^\/api\/v1\/([\w-]+)/.exec(path) ?? []
  if (['auth', 'api-keys', 'users'].includes(first)) return 'access'
  if (['documents', 'index-tasks'].includes(first) || /\/(documents|index-tasks)$/.test(path)) return 'documents'
  if (['conversations', 'feedback'].includes(first)) return 'chat'
  if (['prompts', 'skills', 'mcp-servers', 'tool-audit'].includes(first)) return 'agent'
  return { 'knowledge-bases': 'knowledge', retrieval: 'retrieval' }[first] ?? 'system'
}
