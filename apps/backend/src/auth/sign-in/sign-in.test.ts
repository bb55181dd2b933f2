import { AppError } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AuthBench, CHEAP, HOME, MINUTE, openAuthBench, PASSWORD, signedIn } from '../test-material/auth-bench.ts'

let bench: AuthBench

beforeEach(async () => {
  bench = await openAuthBench()
})

afterEach(() => bench.close())

function login(username: string, password = PASSWORD, address = HOME) {
  return bench.auth.login({ username, password }, address)
}

async function refusal(work: Promise<unknown>): Promise<AppError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error
  )
  if (thrown instanceof AppError) return thrown
  throw new Error('it was not refused', { cause: thrown })
}

describe('signing in', () => {
  it('is refused with the same words for an unknown name, a wrong password and a disabled person', async () => {
    await signedIn(bench.auth, 'ops')
    const gone = await signedIn(bench.auth, 'gone', 'member')
    await bench.auth.operator.change(gone.user.id, { disabled: true })
    const refusals = [
      await refusal(login('nobody', PASSWORD, '192.0.2.1')),
      await refusal(login('ops', 'wrong', '192.0.2.2')),
      await refusal(login('ops', '', '192.0.2.3')),
      await refusal(login('gone', PASSWORD, '192.0.2.4'))
    ]
    for (const { code, message, hint, details, operation, subject } of refusals) {
      expect({ code, message, hint, details, operation, subject }).toEqual({
        code: 'AUTH_REQUIRED',
        message: 'The name or the password is not right.',
        hint: '',
        details: undefined,
        operation: 'sign in',
        subject: ''
      })
    }
  })

  it.each([
    ['Ops', 'ops'],
    ['ops', ' OPS '],
    ['ops', 'ｏｐｓ'],
    ['值班', '值班'],
    ['Ärger', 'äRGER'],
    ['e\u0301mile', '\u00c9MILE']
  ])('somebody added as %j may write %j', async (added, written) => {
    const { user } = await signedIn(bench.auth, added)
    expect((await login(written)).user).toEqual(user)
  })

  it('does not take one name for another that only looks like it', async () => {
    await signedIn(bench.auth, 'ops')
    await expect(login('орs')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    await expect(login('ops_')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    await expect(login('%')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
  })

  it('is refused after as many failures as are allowed, with the right password too, until the window has passed', async () => {
    await signedIn(bench.auth, 'ops')
    for (const password of ['wrong', 'worse', '']) await refusal(login('ops', password, '192.0.2.9'))
    expect(await refusal(login('OPS', PASSWORD, '192.0.2.9'))).toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfterSeconds: 900 }
    })
    bench.now += 15 * MINUTE - 1
    expect(await refusal(login('ops', PASSWORD, '192.0.2.9'))).toMatchObject({ details: { retryAfterSeconds: 1 } })
    bench.now += 1
    expect((await login('ops', PASSWORD, '192.0.2.9')).user.username).toBe('ops')
  })

  it('is limited for a name that does not exist just as for one that does', async () => {
    // Ten addresses' worth: three each.
    for (let place = 0; place < 30; place += 1) await refusal(login('nobody', 'wrong', `192.0.2.${place % 10}`))
    expect(await refusal(login('nobody', 'wrong', '198.51.100.7'))).toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('lets no more through when many try at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => refusal(login(`nobody ${index}`, `guess ${index}`, '192.0.2.1')))
    )
    const codes = outcomes.map(({ code }) => code)
    expect(codes.filter((code) => code === 'AUTH_REQUIRED')).toHaveLength(3)
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(9)
  })

  it('does not count what failed because the facts could not be used', async () => {
    await signedIn(bench.auth, 'ops')
    const closed = await openAuthBench()
    await closed.close()
    for (let round = 0; round < 5; round += 1) {
      const { code } = await refusal(closed.auth.login({ username: 'ops', password: PASSWORD }, HOME))
      expect(code).toBe('SYSTEM_UNAVAILABLE')
    }
  })
})

describe('a password hashed at a former cost', () => {
  const dearer = { ...CHEAP, passes: 3 }

  it('is hashed anew when its owner signs in, and not when somebody guesses', async () => {
    const { user } = await signedIn(bench.auth, 'ops')
    const later = bench.another({ passwordCost: dearer })
    await refusal(later.login({ username: 'ops', password: 'wrong' }, HOME))
    expect((await bench.store.people.find(user.id))?.passwordHash).toContain('t=1,')
    await later.login({ username: 'ops', password: PASSWORD }, HOME)
    expect((await bench.store.people.find(user.id))?.passwordHash).toContain('t=3,')
    await later.login({ username: 'ops', password: PASSWORD }, HOME)
    expect((await later.login({ username: 'ops', password: PASSWORD }, HOME)).user).toEqual(user)
  })

  it('keeps the sessions that there are, and refuses nobody who signs in at the same time', async () => {
    const { token } = await signedIn(bench.auth, 'ops')
    const later = bench.another({ passwordCost: dearer })
    const together = await Promise.all([
      later.login({ username: 'ops', password: PASSWORD }, HOME),
      later.login({ username: 'ops', password: PASSWORD }, HOME)
    ])
    for (const session of [token, ...together.map((each) => each.token)]) {
      expect(await later.callerOfSession(session)).toBeDefined()
    }
  })
})

describe('a sign-in that is being checked', () => {
  // As dear as a real one, so that there is time for something to happen meanwhile.
  const slow = { memoryKib: 19_456, passes: 2, lanes: 1 }

  it('gives no session when the password is changed meanwhile', async () => {
    const { user } = await signedIn(bench.auth, 'ops')
    const other = await bench.auth.operator.create({ username: 'dev', password: 'another one', role: 'member' })
    const otherHash = (await bench.store.people.find(other.id))?.passwordHash ?? ''
    const checking = bench.another({ passwordCost: slow }).login({ username: 'ops', password: PASSWORD }, HOME)
    await bench.store.people.change(user.id, { passwordHash: otherHash })
    await expect(checking).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
  })

  it('gives no session when the person is disabled meanwhile', async () => {
    const { user } = await signedIn(bench.auth, 'ops')
    const checking = bench.another({ passwordCost: slow }).login({ username: 'ops', password: PASSWORD }, HOME)
    await bench.store.people.change(user.id, { disabledAt: bench.now })
    await expect(checking).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
  })
})
