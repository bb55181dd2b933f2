import type { UserChange } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AuthBench, HOME, openAuthBench, PASSWORD, signedIn } from '../test-material/auth-bench.ts'

let bench: AuthBench

beforeEach(async () => {
  bench = await openAuthBench()
})

afterEach(() => bench.close())

describe('accounts', () => {
  it('are listed newest first, page by page, each once, with how many there are', async () => {
    const { caller } = await signedIn(bench.auth, 'u1')
    for (const username of ['u2', 'u3', 'u4', 'u5']) {
      await bench.auth.createUser(caller, { username, password: PASSWORD, role: 'member' })
    }
    const first = await bench.auth.users(caller, { limit: 2 })
    const second = await bench.auth.users(caller, { limit: 2, cursor: first.nextCursor ?? '' })
    // Whoever comes meanwhile is in no later page, and moves nobody from one page to another.
    await bench.auth.createUser(caller, { username: 'u6', password: PASSWORD, role: 'member' })
    const third = await bench.auth.users(caller, { limit: 2, cursor: second.nextCursor ?? '' })
    const names = [first, second, third].map(({ items }) => items.map(({ username }) => username))
    expect(names).toEqual([['u5', 'u4'], ['u3', 'u2'], ['u1']])
    expect([first, second, third].map(({ total }) => total)).toEqual([5, 5, 6])
    expect(third.nextCursor).toBeNull()
    expect((await bench.auth.users(caller, { limit: 6 })).nextCursor).toBeNull()
  })

  it.each([
    'x',
    '!',
    'MTIz=',
    Buffer.from('-1').toString('base64url'),
    Buffer.from('9'.repeat(16)).toString('base64url')
  ])('are not listed from the cursor %j, which no page gave', async (cursor) => {
    const { caller } = await signedIn(bench.auth, 'ops')
    await expect(bench.auth.users(caller, { limit: 2, cursor })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ field: 'cursor', problem: expect.any(String) }] }
    })
  })

  it('hold nothing of a password in what is told of them', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    const told = ['createdAt', 'disabledAt', 'id', 'role', 'username']
    const { items } = await bench.auth.users(caller, { limit: 1 })
    for (const each of [user, ...items, await bench.auth.user(caller)])
      expect(Object.keys(each).toSorted()).toEqual(told)
  })

  it.each([
    ['ops', 'OPS'],
    ['ops', 'ｏｐｓ'],
    ['Ärger', 'ärgeR'],
    ['值班员', '值班员']
  ])('named %j keep the name %j from being taken', async (username, again) => {
    const { caller } = await signedIn(bench.auth, username)
    const taken = { username: again, password: PASSWORD, role: 'member' as const }
    await expect(bench.auth.createUser(caller, taken)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await bench.auth.users(caller, { limit: 5 })).total).toBe(1)
  })

  it('of one name are made once when two are asked for at the same time', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const wanted = { username: 'dev', password: PASSWORD, role: 'member' as const }
    const outcomes = await Promise.allSettled([
      bench.auth.createUser(caller, wanted),
      bench.auth.createUser(caller, { ...wanted, username: 'DEV' })
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('are seen to by administrators alone, and by their keys with the scope admin', async () => {
    const admin = await signedIn(bench.auth, 'ops')
    const member = await signedIn(bench.auth, 'dev', 'member')
    const weak = {
      ...admin.caller,
      via: 'api-key' as const,
      scopes: new Set(['retrieve', 'ingest', 'alerts'] as const)
    }
    const strong = { ...weak, scopes: new Set(['admin'] as const) }
    const pretending = { ...member.caller, scopes: new Set(['admin'] as const) }
    for (const caller of [member.caller, weak, pretending]) {
      const refused = { code: 'AUTH_FORBIDDEN' }
      await expect(bench.auth.users(caller, { limit: 1 })).rejects.toMatchObject(refused)
      const wanted = { username: 'new', password: PASSWORD, role: 'admin' as const }
      await expect(bench.auth.createUser(caller, wanted)).rejects.toMatchObject(refused)
      await expect(bench.auth.changeUser(caller, caller.userId, { role: 'admin' })).rejects.toMatchObject(refused)
    }
    expect((await bench.auth.users(strong, { limit: 1 })).total).toBe(2)
  })

  it('that do not exist can not be changed', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    await expect(bench.auth.changeUser(caller, 'nobody', { disabled: true })).rejects.toMatchObject({
      code: 'NOT_FOUND'
    })
  })
})

describe('a change of an account', () => {
  it.each<[string, UserChange]>([
    ['disables', { disabled: true }],
    ['changes the role of', { role: 'admin' }],
    ['sets a new password of', { password: 'a new password' }]
  ])('that %s somebody ends all their sessions at once, and nobody else has to sign in', async (_what, change) => {
    const admin = await signedIn(bench.auth, 'ops')
    const member = await signedIn(bench.auth, 'dev', 'member')
    const second = await bench.auth.login({ username: 'dev', password: PASSWORD }, HOME)
    await bench.auth.changeUser(admin.caller, member.user.id, change)
    const other = bench.another()
    expect(await other.callerOfSession(member.token)).toBeUndefined()
    expect(await other.callerOfSession(second.token)).toBeUndefined()
    expect(await other.callerOfSession(admin.token)).toBeDefined()
  })

  it('that changes nothing ends no session', async () => {
    const admin = await signedIn(bench.auth, 'ops')
    const member = await signedIn(bench.auth, 'dev', 'member')
    for (const change of [{}, { role: 'member' as const }, { disabled: false }]) {
      expect(await bench.auth.changeUser(admin.caller, member.user.id, change)).toEqual(member.user)
    }
    expect(await bench.auth.callerOfSession(member.token)).toBeDefined()
  })

  it('lets somebody in again who was disabled, without the sessions of before', async () => {
    const admin = await signedIn(bench.auth, 'ops')
    const member = await signedIn(bench.auth, 'dev', 'member')
    const disabled = await bench.auth.changeUser(admin.caller, member.user.id, { disabled: true })
    expect(disabled.disabledAt).toBe(bench.now)
    bench.now += 5
    const again = await bench.auth.changeUser(admin.caller, member.user.id, { disabled: true })
    expect(again.disabledAt).toBe(disabled.disabledAt)
    const enabled = await bench.auth.changeUser(admin.caller, member.user.id, { disabled: false })
    expect(enabled.disabledAt).toBeNull()
    expect(await bench.auth.callerOfSession(member.token)).toBeUndefined()
    expect((await bench.auth.login({ username: 'dev', password: PASSWORD }, HOME)).user).toEqual(enabled)
  })

  it('makes the new password the only right one', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    await bench.auth.changeUser(caller, user.id, { password: 'a new password' })
    await expect(bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)).rejects.toMatchObject({
      code: 'AUTH_REQUIRED'
    })
    expect((await bench.auth.login({ username: 'ops', password: 'a new password' }, HOME)).user).toEqual(user)
  })
})

describe('the last administrator', () => {
  it.each<UserChange>([
    { disabled: true },
    { role: 'member' },
    { role: 'member', disabled: true, password: 'a new password' }
  ])('can not be taken away by %j, and nothing of that is done', async (change) => {
    const { caller, user, token } = await signedIn(bench.auth, 'ops')
    await signedIn(bench.auth, 'dev', 'member')
    const second = await signedIn(bench.auth, 'second')
    await bench.auth.changeUser(caller, second.user.id, { disabled: true })
    await expect(bench.auth.changeUser(caller, user.id, change)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('last administrator')
    })
    expect(await bench.auth.user(caller)).toEqual(user)
    expect(await bench.auth.callerOfSession(token)).toBeDefined()
  })

  it('is not who has another administrator beside them', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    await signedIn(bench.auth, 'second')
    expect((await bench.auth.changeUser(caller, user.id, { role: 'member' })).role).toBe('member')
  })

  it('stays when two administrators take the role from each other at once', async () => {
    const first = await signedIn(bench.auth, 'ops')
    const second = await signedIn(bench.auth, 'second')
    const outcomes = await Promise.allSettled([
      bench.auth.changeUser(first.caller, second.user.id, { disabled: true }),
      bench.another().changeUser(second.caller, first.user.id, { disabled: true })
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('may be given a new password', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    expect(await bench.auth.changeUser(caller, user.id, { password: 'a new password' })).toEqual(user)
  })
})
