import { errorCatalogue, errorsOf, type Route, routes } from '@oncall-agent/api-contracts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve, type Served } from './test-material/served.ts'

interface Operation {
  readonly responses: Readonly<Record<string, { readonly description: string }>>
  readonly requestBody?: unknown
}
interface Description {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let served: Served
let description: Description
beforeAll(async () => {
  served = await serve()
  description = (await served.ask('/openapi.json')).body as Description
})
afterAll(() => served.server.close())

const table: [string, Route][] = Object.entries(routes)

describe('GET /openapi.json', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate({ ...description })
    expect(result.errors ?? []).toEqual([])
    expect([result.valid, description.openapi]).toEqual([true, '3.1.0'])
  })

  test('describes the routes of the table and no others', () => {
    const described = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`)
    )
    const listed = table.map(([, { method, path }]) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(described.toSorted()).toEqual(listed.toSorted())
  })

  test.each(table)('tells for %s every status that it can answer with', (_name, route) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const responses = description.paths[path]?.[route.method.toLowerCase()]?.responses ?? {}
    const codes = errorsOf(route)
    const statuses = [...route.statuses, ...codes.map((code) => errorCatalogue[code].status)].map(String)
    expect(Object.keys(responses).toSorted()).toEqual([...new Set(statuses)].toSorted())
  })

  test('does not call any part of a request read-only', () => {
    expect(JSON.stringify(description)).not.toContain('readOnly')
  })
})
