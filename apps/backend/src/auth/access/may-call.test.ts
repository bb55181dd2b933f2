import { API_PREFIX, type ApiScope, type Role, type Route, type RouteAccess, routes } from '@oncall-agent/api-contracts'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../caller.ts'
import { mayCall } from './may-call.ts'
import { scopesOfRole } from './scopes-of-role.ts'

function caller(via: Caller['via'], role: Role, scopes: Iterable<ApiScope> = scopesOfRole(role)): Caller {
  return { userId: 'u', tenantId: 'u', role, via, scopes: new Set(scopes), credentialId: 'c' }
}

const nobody = undefined
const member = caller('session', 'member')
const admin = caller('session', 'admin')
const key = (role: Role, ...scopes: ApiScope[]) => caller('api-key', role, scopes)

const reading: RouteAccess = ['retrieve', 'ingest']

describe('who may call a route', () => {
  it.each<[string, RouteAccess, Caller | undefined, string]>([
    ['that anyone may: nobody', 'anyone', nobody, 'yes'],
    ['that anyone may: a key without scopes', 'anyone', key('member'), 'yes'],
    ['for persons: nobody', 'person', nobody, 'sign-in'],
    ['for persons: a member', 'person', member, 'yes'],
    [
      "for persons: an administrator's key with every scope",
      'person',
      key('admin', ...scopesOfRole('admin')),
      'forbidden'
    ],
    ['that searches: nobody', ['retrieve'], nobody, 'sign-in'],
    ['that searches: a member', ['retrieve'], member, 'yes'],
    ['that searches: a key with the scope', ['retrieve'], key('member', 'retrieve'), 'yes'],
    [
      'that searches: a key with every scope but this',
      ['retrieve'],
      key('admin', 'ingest', 'alerts', 'admin'),
      'forbidden'
    ],
    ['of two scopes: a key with the one', reading, key('member', 'retrieve'), 'yes'],
    ['of two scopes: a key with the other', reading, key('member', 'ingest'), 'yes'],
    ['of two scopes: a key with neither', reading, key('member', 'alerts'), 'forbidden'],
    ['that writes: a key that searches', ['ingest'], key('member', 'retrieve'), 'forbidden'],
    ['that writes: a member', ['ingest'], member, 'yes'],
    ['for administrators: nobody', ['admin'], nobody, 'sign-in'],
    ['for administrators: a member', ['admin'], member, 'forbidden'],
    ['for administrators: one of them', ['admin'], admin, 'yes'],
    ['for administrators: their key without the scope', ['admin'], key('admin', 'retrieve', 'ingest'), 'forbidden'],
    ['for administrators: their key with the scope', ['admin'], key('admin', 'admin'), 'yes'],
    ['for administrators: a key of a former one', ['admin'], key('member', 'admin'), 'forbidden']
  ])('%s', (_what, access, given, permission) => {
    expect(mayCall(given, access)).toBe(permission)
  })

  it('of the interface is nobody who has not signed in, except to sign in', () => {
    const called = Object.values<Route>(routes).filter(({ path }) => path.startsWith(API_PREFIX))
    const open = called.filter(({ access }) => mayCall(nobody, access) === 'yes').map(({ path }) => path)
    expect(called.length).toBeGreaterThan(20)
    expect(open.filter((path) => !path.startsWith(`${API_PREFIX}/auth/`))).toEqual([])
  })
})
