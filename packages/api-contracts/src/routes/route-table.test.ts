import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../errors/catalogue.ts'
import type { Route } from './route.ts'
import { API_PREFIX, routes } from './route-table.ts'

const all: [string, Route][] = Object.entries(routes)

describe('the route table', () => {
  test('has no two routes of one method and path', () => {
    const keys = all.map(([, route]) => `${route.method} ${route.path}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test.each(all)('describes the parameters of the path of %s', (_name, route) => {
    expect(route.path.includes(':')).toBe(route.params !== undefined)
    expect(route.path.startsWith(API_PREFIX) || /^[/](health|ready|openapi[.]json)$/.test(route.path)).toBe(true)
  })

  test.each(all)('lists for %s what its input can do wrong', (_name, route) => {
    expect(route.errors.includes('VALIDATION_FAILED')).toBe(route.body !== undefined || route.params !== undefined)
    expect(route.errors.includes('PAYLOAD_TOO_LARGE')).toBe(route.body !== undefined)
    for (const code of route.errors) expect(errorCatalogue).toHaveProperty(code)
  })
})
