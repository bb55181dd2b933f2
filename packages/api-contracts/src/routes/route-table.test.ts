import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../errors/catalogue.ts'
import { API_PREFIX } from './prefix.ts'
import { errorsOf, type Route } from './route.ts'
import { routes } from './route-table.ts'

const all: [string, Route][] = Object.entries(routes)

const kinds = ({ response, bytes, events }: Route) => [response, bytes, events].filter((kind) => kind !== undefined)

describe('the route table', () => {
  test('has no two routes of one method and path', () => {
    const keys = all.map(([, route]) => `${route.method} ${route.path}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test.each(all)('describes the parameters of the path of %s', (_name, route) => {
    expect(route.path.includes(':')).toBe(route.params !== undefined)
    expect(
      route.path.startsWith(API_PREFIX) || /^[/](health|ready|metrics|docs|openapi[.]json)$/.test(route.path)
    ).toBe(true)
  })

  test.each(all)('lists for %s what its input can do wrong', (_name, route) => {
    const codes = errorsOf(route)
    const bodied = route.method !== 'GET'
    const input = route.params ?? route.query
    expect(codes.includes('VALIDATION_FAILED')).toBe(input !== undefined || bodied)
    expect(codes.includes('PAYLOAD_TOO_LARGE')).toBe(bodied)
    expect(codes.includes('UNSUPPORTED_MEDIA_TYPE')).toBe(bodied)
    for (const code of codes) expect(errorCatalogue).toHaveProperty(code)
  })

  test('lets nobody in without signing in, but for what signing in and watching need', () => {
    const open = all.filter(([, route]) => route.access === 'anyone').map(([name]) => name)
    expect(open).toEqual(['health', 'ready', 'openapi', 'docs', 'bootstrap', 'login', 'logout', 'me'])
    const closed = all.filter(([name]) => !open.includes(name))
    expect(closed.filter(([, route]) => !errorsOf(route).includes('AUTH_REQUIRED'))).toEqual([])
  })

  test('answers with a schema, with bytes, with events or with nothing, as the statuses say', () => {
    const nothing = all.filter(([, route]) => kinds(route).length === 0)
    const empty = all.filter(([, route]) => route.statuses.includes(204))
    expect(nothing).toEqual(empty)
    expect(empty.filter(([, route]) => route.statuses.length > 1)).toEqual([])
    expect(all.filter(([, route]) => kinds(route).length > 1)).toEqual([])
  })

  test('leaves only the measurements open to this machine without signing in', () => {
    expect(all.filter(([, route]) => route.local === true).map(([name]) => name)).toEqual(['metrics'])
  })
})
