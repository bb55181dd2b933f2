import type { ApiScope } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AuthBench, MINUTE, openAuthBench, signedIn } from '../test-material/auth-bench.ts'

let bench: AuthBench

beforeEach(async () => {
  bench = await openAuthBench()
})

afterEach(() => bench.close())

const ALL: readonly ApiScope[] = ['retrieve', 'ingest', 'alerts', 'admin']

describe('an API key', () => {
  it('is told once, with a prefix by which it is known afterwards', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const { key, ...shown } = await bench.auth.createApiKey(caller, { name: '值班机器人', scopes: ['retrieve'] })
    expect(key).toMatch(/^oncall_[\w-]{43}$/)
    expect(shown).toEqual({
      id: expect.any(String),
      name: '值班机器人',
      scopes: ['retrieve'],
      prefix: key.slice(0, 12),
      createdAt: bench.now,
      lastUsedAt: null
    })
    expect(await bench.auth.apiKey(caller, shown.id)).toEqual(shown)
    expect(await bench.auth.apiKeys(caller, { limit: 5 })).toEqual({ items: [shown], nextCursor: null, total: 1 })
  })

  it('speaks for its owner, with its scopes and no others', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    const { key, id } = await bench.auth.createApiKey(caller, { name: 'in', scopes: ['ingest', 'alerts'] })
    expect(await bench.another().callerOfKey(key)).toEqual({
      userId: user.id,
      tenantId: user.id,
      role: 'admin',
      via: 'api-key',
      scopes: new Set(['ingest', 'alerts']),
      credentialId: id
    })
  })

  it('has the scope admin only from an administrator', async () => {
    const admin = await signedIn(bench.auth, 'ops')
    const member = await signedIn(bench.auth, 'dev', 'member')
    const asked = { name: 'all', scopes: ALL }
    await expect(bench.auth.createApiKey(member.caller, asked)).rejects.toMatchObject({
      code: 'AUTH_FORBIDDEN',
      message: expect.stringContaining('admin')
    })
    expect((await bench.auth.apiKeys(member.caller, { limit: 5 })).total).toBe(0)
    expect(
      (await bench.auth.createApiKey(member.caller, { name: 'most', scopes: ALL.slice(0, 3) })).scopes
    ).toHaveLength(3)
    expect((await bench.auth.createApiKey(admin.caller, asked)).scopes).toEqual(ALL)
  })

  it('loses the scope admin with its owner losing the role, and keeps the others', async () => {
    const first = await signedIn(bench.auth, 'ops')
    const second = await signedIn(bench.auth, 'second')
    const { key, id } = await bench.auth.createApiKey(second.caller, { name: 'all', scopes: ALL })
    await bench.auth.changeUser(first.caller, second.user.id, { role: 'member' })
    const caller = await bench.auth.callerOfKey(key)
    expect(caller).toMatchObject({ role: 'member', scopes: new Set(['retrieve', 'ingest', 'alerts']) })
    expect((await bench.auth.apiKey(second.caller, id)).scopes).toEqual(ALL)
  })

  it('ends at once when it is revoked, for good, and is shown no more', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const { key, id } = await bench.auth.createApiKey(caller, { name: 'a', scopes: ['retrieve'] })
    const kept = await bench.auth.createApiKey(caller, { name: 'a', scopes: ['retrieve'] })
    await bench.auth.revokeApiKey(caller, id)
    expect(await bench.another().callerOfKey(key)).toBeUndefined()
    expect(await bench.auth.callerOfKey(kept.key)).toBeDefined()
    expect((await bench.auth.apiKeys(caller, { limit: 5 })).items.map((each) => each.id)).toEqual([kept.id])
    await expect(bench.auth.apiKey(caller, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(bench.auth.revokeApiKey(caller, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of a disabled person does not work, and does again when they may sign in again', async () => {
    const admin = await signedIn(bench.auth, 'ops')
    const member = await signedIn(bench.auth, 'dev', 'member')
    const { key } = await bench.auth.createApiKey(member.caller, { name: 'a', scopes: ['retrieve'] })
    await bench.auth.changeUser(admin.caller, member.user.id, { disabled: true })
    expect(await bench.auth.callerOfKey(key)).toBeUndefined()
    await bench.auth.changeUser(admin.caller, member.user.id, { disabled: false })
    expect(await bench.auth.callerOfKey(key)).toBeDefined()
  })

  it('of somebody else does not exist, not for an administrator either, and can not be ended', async () => {
    const admin = await signedIn(bench.auth, 'ops')
    const member = await signedIn(bench.auth, 'dev', 'member')
    const { key, id } = await bench.auth.createApiKey(member.caller, { name: 'a', scopes: ['retrieve'] })
    await expect(bench.auth.apiKey(admin.caller, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(bench.auth.revokeApiKey(admin.caller, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await bench.auth.apiKeys(admin.caller, { limit: 5 })).total).toBe(0)
    expect(await bench.auth.callerOfKey(key)).toBeDefined()
  })

  it('can not make, see or end keys', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const { key, id } = await bench.auth.createApiKey(caller, { name: 'all', scopes: ALL })
    const byKey = await bench.auth.callerOfKey(key)
    if (byKey === undefined) throw new Error('the key does not work')
    const refused = { code: 'AUTH_FORBIDDEN' }
    await expect(bench.auth.createApiKey(byKey, { name: 'b', scopes: ['retrieve'] })).rejects.toMatchObject(refused)
    await expect(bench.auth.apiKeys(byKey, { limit: 5 })).rejects.toMatchObject(refused)
    await expect(bench.auth.apiKey(byKey, id)).rejects.toMatchObject(refused)
    await expect(bench.auth.revokeApiKey(byKey, id)).rejects.toMatchObject(refused)
    expect((await bench.auth.apiKeys(caller, { limit: 5 })).total).toBe(1)
  })

  it('records its first use, and then one when the last is a minute ago', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const { key, id } = await bench.auth.createApiKey(caller, { name: 'a', scopes: ['retrieve'] })
    const lastUsed = async () => (await bench.auth.apiKey(caller, id)).lastUsedAt
    const start = bench.now
    await bench.auth.callerOfKey(key)
    expect(await lastUsed()).toBe(start)
    bench.now = start + MINUTE - 1
    await bench.auth.callerOfKey(key)
    expect(await lastUsed()).toBe(start)
    bench.now = start + MINUTE
    await bench.auth.callerOfKey(key)
    expect(await lastUsed()).toBe(start + MINUTE)
  })

  it('is listed newest first, page by page', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    for (const name of ['1', '2', '3']) await bench.auth.createApiKey(caller, { name, scopes: ['retrieve'] })
    const first = await bench.auth.apiKeys(caller, { limit: 2 })
    const second = await bench.auth.apiKeys(caller, { limit: 2, cursor: first.nextCursor ?? '' })
    expect([first, second].map(({ items }) => items.map(({ name }) => name))).toEqual([['3', '2'], ['1']])
    expect([first.total, second.total, second.nextCursor]).toEqual([3, 3, null])
  })

  it('is nothing that only looks like one', async () => {
    const { caller, token } = await signedIn(bench.auth, 'ops')
    const { key } = await bench.auth.createApiKey(caller, { name: 'a', scopes: ['retrieve'] })
    const last = key.at(-1) === 'A' ? 'E' : 'A'
    for (const other of [
      '',
      'oncall_',
      token,
      `oncall_${token}`,
      key.slice(7),
      key.toUpperCase(),
      `${key}x`,
      ` ${key}`
    ]) {
      expect(await bench.auth.callerOfKey(other), other).toBeUndefined()
    }
    expect(await bench.auth.callerOfKey(key.slice(0, -1) + last)).toBeUndefined()
    expect(await bench.auth.callerOfSession(key)).toBeUndefined()
  })
})
