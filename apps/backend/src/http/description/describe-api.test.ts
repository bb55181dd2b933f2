import { errorCatalogue, errorsOf, type Route, routes } from '@oncall-agent/api-contracts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDescription, Operation } from './openapi.ts'
import { serve, type Served } from '../test-material/served.ts'

let served: Served
let description: OpenApiDescription
beforeAll(async () => {
  served = await serve()
  description = (await served.ask('/openapi.json')).body as OpenApiDescription
})
afterAll(() => served.close())

const table: [string, Route][] = Object.entries(routes)

function operationOf({ method, path }: Route): Operation {
  return description.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
}

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
    const good = route.conditional ? [...route.statuses, 304] : route.statuses
    const statuses = [...good, ...codes.map((code) => errorCatalogue[code].status)].map(String)
    expect(Object.keys(responses).toSorted()).toEqual([...new Set(statuses)].toSorted())
  })

  test('does not call any part of a request read-only', () => {
    expect(JSON.stringify(description)).not.toContain('readOnly')
  })

  test.each(table)('tells who may call %s', (_name, route) => {
    const schemes = (operationOf(route).security ?? []).flatMap((way) => Object.keys(way))
    const expected = { anyone: [], person: ['session'], scopes: ['session', 'apiKey'] }
    expect(schemes).toEqual(expected[typeof route.access === 'string' ? route.access : 'scopes'])
    expect(operationOf(route)['x-access']).toMatch(/^[A-Z].*[.]$/)
  })

  test('tells the parts of a form, the file among them', () => {
    const { requestBody } = operationOf(routes.uploadDocuments)
    expect(requestBody?.content?.['multipart/form-data']?.schema).toMatchObject({
      properties: { file: { type: 'array', items: { format: 'binary' } }, index: { type: 'string' } },
      required: ['file']
    })
  })

  test('tells numbers of an address as numbers, and what a large topK means', () => {
    const limit = operationOf(routes.documents).parameters?.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 200 } })
    expect(limit?.schema).not.toHaveProperty('pattern')
    expect(JSON.stringify(operationOf(routes.retrieve).requestBody)).toContain('more than 5 is taken as 5')
  })

  test('tells files as bytes and the headers that clients need', () => {
    const { responses, parameters } = operationOf(routes.documentContent)
    expect(responses?.[200]?.content).toMatchObject({
      'text/markdown': { schema: { type: 'string' } },
      'application/pdf': { schema: { type: 'string', format: 'binary' } },
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } }
    })
    expect(responses?.[200]?.headers).toHaveProperty('ETag')
    expect(responses?.[401]?.headers).toHaveProperty('WWW-Authenticate')
    expect(responses?.[429]?.headers).toHaveProperty('Retry-After')
    expect(parameters?.map(({ name }) => name)).toContain('If-None-Match')
    expect(operationOf(routes.uploadDocuments).parameters?.map(({ name }) => name)).toContain('Idempotency-Key')
    expect(operationOf(routes.search).parameters?.map(({ name }) => name)).toEqual(['Accept-Language'])
  })
})

describe('what a body can do wrong', () => {
  test('is told also where no body is wanted', async () => {
    const [method, path] = ['POST', routes.logout.path]
    const { status } = await served.ask(path, { method, headers: { 'content-type': 'text/x' }, body: 'x' })
    expect([status, Object.keys(operationOf(routes.logout).responses ?? {})]).toEqual([
      415,
      expect.arrayContaining(['400', '413', '415'])
    ])
  })
})

describe('GET /docs', () => {
  test('shows every operation, and needs nothing from elsewhere', async () => {
    const { status, headers, body } = await served.ask('/docs')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const [name, route] of table) {
      expect(body).toContain(`id="${name}"`)
      expect(body).toContain(`<code>${route.path.replaceAll(/:(\w+)/g, '{$1}')}</code>`)
    }
    expect(body).toContain('接口参考 · API reference')
    expect(body).not.toMatch(/<script|<link|<img|(src|href)="https?:/)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers['x-frame-options']).toBe('DENY')
  })

  test('is linked from the front door, where no page is built', async () => {
    const { status, body } = await served.ask('/')
    expect([status, body]).toEqual([200, expect.stringContaining('href="/docs"')])
    expect(await served.ask('/', { method: 'POST' })).toMatchObject({ status: 404 })
  })
})
