import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AuthBench, HOME, MINUTE, openAuthBench, PASSWORD, signedIn } from '../test-material/auth-bench.ts'

let bench: AuthBench

beforeEach(async () => {
  bench = await openAuthBench()
})

afterEach(() => bench.close())

const newPassword = 'a new password'

describe('changing the own password', () => {
  it('keeps this session and ends all other sessions of this person', async () => {
    const { caller, token, user } = await signedIn(bench.auth, 'ops')
    const elsewhere = await bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)
    const somebody = await signedIn(bench.auth, 'dev', 'member')
    await bench.auth.changePassword(caller, { currentPassword: PASSWORD, newPassword })
    expect(await bench.auth.callerOfSession(token)).toBeDefined()
    expect(await bench.auth.callerOfSession(elsewhere.token)).toBeUndefined()
    expect(await bench.auth.callerOfSession(somebody.token)).toBeDefined()
    expect((await bench.auth.login({ username: 'ops', password: newPassword }, HOME)).user).toEqual(user)
    await expect(bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)).rejects.toMatchObject({
      code: 'AUTH_REQUIRED'
    })
  })

  it('is refused with a wrong current password, which is named, and changes nothing', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const elsewhere = await bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)
    await expect(bench.auth.changePassword(caller, { currentPassword: 'wrong', newPassword })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ field: 'currentPassword', problem: 'is not right' }] }
    })
    expect(await bench.auth.callerOfSession(elsewhere.token)).toBeDefined()
    expect(await bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)).toBeDefined()
  })

  it('can not be used to find the password out, and does not keep its owner from signing in', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const guess = (currentPassword: string) => bench.auth.changePassword(caller, { currentPassword, newPassword })
    for (const wrong of ['one', 'two', 'three']) {
      await expect(guess(wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    await expect(guess(PASSWORD)).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 900 } })
    expect(await bench.auth.login({ username: 'ops', password: PASSWORD }, HOME)).toBeDefined()
    bench.now += 15 * MINUTE
    await guess(PASSWORD)
  })

  it('is not kept from anybody by strangers who guess in their name', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    const names = ['ops', user.id, `password of ${user.id}`]
    for (const [place, username] of names.flatMap((name) => [name, name, name]).entries()) {
      const guess = bench.auth.login({ username, password: 'wrong' }, `192.0.2.${place}`)
      await expect(guess).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    }
    await bench.auth.changePassword(caller, { currentPassword: PASSWORD, newPassword })
  })

  it('is nothing that a key can do', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const { key } = await bench.auth.createApiKey(caller, {
      name: 'all',
      scopes: ['retrieve', 'ingest', 'alerts', 'admin']
    })
    const byKey = await bench.auth.callerOfKey(key)
    const change = { currentPassword: PASSWORD, newPassword }
    if (byKey === undefined) throw new Error('the key does not work')
    await expect(bench.auth.changePassword(byKey, change)).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
  })

  it('done twice at once is done once, for the second has lost the password that it names', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const outcomes = await Promise.allSettled([
      bench.auth.changePassword(caller, { currentPassword: PASSWORD, newPassword: 'password number 1' }),
      bench.auth.changePassword(caller, { currentPassword: PASSWORD, newPassword: 'password number 2' })
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled') + 1
    expect(await bench.auth.login({ username: 'ops', password: `password number ${winner}` }, HOME)).toBeDefined()
  })
})
