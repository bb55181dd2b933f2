import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'

/** Frozen in memory is no property of the wire: `readOnly` would tell clients not to send a filter. */
const zodToJsonConfig = {
  override: ({ jsonSchema }: { jsonSchema: { readOnly?: boolean } }) => {
    delete jsonSchema.readOnly
  }
}

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
      }
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig })
  })
}
