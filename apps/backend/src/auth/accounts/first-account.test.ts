import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AuthBench, callerOf, HOME, openAuthBench, PASSWORD } from '../test-material/auth-bench.ts'

let bench: AuthBench

beforeEach(async () => {
  bench = await openAuthBench()
})

afterEach(() => bench.close())

const account = { username: 'ops', password: PASSWORD }

describe('the first account', () => {
  it('is an administrator, and is signed in', async () => {
    expect(await bench.auth.needsFirstAccount()).toBe(true)
    const { user, token, expiresAt } = await bench.auth.bootstrap(account)
    expect(user).toEqual({
      id: expect.any(String),
      username: 'ops',
      role: 'admin',
      createdAt: bench.now,
      disabledAt: null
    })
    expect(expiresAt).toBeGreaterThan(bench.now)
    expect(await callerOf(bench.auth, token)).toMatchObject({ userId: user.id, role: 'admin' })
    expect((await bench.auth.login(account, HOME)).user).toEqual(user)
    expect(await bench.auth.needsFirstAccount()).toBe(false)
  })

  it('is made once', async () => {
    await bench.auth.bootstrap(account)
    await expect(bench.auth.bootstrap({ ...account, username: 'other' })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(bench.auth.login({ ...account, username: 'other' }, HOME)).rejects.toMatchObject({
      code: 'AUTH_REQUIRED'
    })
  })

  it('is found by a process that was told before that there is none', async () => {
    const other = bench.another()
    expect(await other.needsFirstAccount()).toBe(true)
    await bench.auth.bootstrap(account)
    expect(await other.needsFirstAccount()).toBe(false)
    await expect(other.bootstrap(account)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('needs no look into the file once it is there', async () => {
    await bench.auth.bootstrap(account)
    expect(await bench.auth.needsFirstAccount()).toBe(false)
    await bench.store.close()
    expect(await bench.auth.needsFirstAccount()).toBe(false)
  })

  it('is closed to others when it was added at the command line, where it must be an administrator', async () => {
    const member = { ...account, role: 'member' as const }
    await expect(bench.auth.operator.create(member)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('administrator')
    })
    expect(await bench.auth.needsFirstAccount()).toBe(true)
    await bench.auth.operator.create({ ...account, role: 'admin' })
    await expect(bench.auth.bootstrap(account)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is made by exactly one of two who ask at once in one process', async () => {
    const outcomes = await Promise.allSettled([
      bench.auth.bootstrap(account),
      bench.auth.bootstrap({ ...account, username: 'other' })
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'CONFLICT' }) })
    expect((await bench.auth.operator.list({ limit: 10 })).total).toBe(1)
  })

  it('is made by exactly one of three processes that ask at once', async () => {
    const names = ['admin-1', 'admin-2', 'admin-3']
    const racers = names.map(startRacer)
    await Promise.all(racers.map(({ ready }) => ready))
    for (const { go } of racers) go()
    const outcomes = await Promise.all(racers.map(({ outcome }) => outcome))
    const made = outcomes.filter((outcome) => outcome.startsWith('admin-'))
    expect(outcomes.toSorted()).toEqual(['CONFLICT', 'CONFLICT', ...made])
    const { items } = await bench.auth.operator.list({ limit: 10 })
    expect(items.map(({ username }) => username)).toEqual(made)
  })
})

/** A process that has seen that there is no account, and makes one when it is told to. */
function startRacer(username: string) {
  const script = `
    const { createAuth } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)})
    const { openBusinessStore } = await import(${JSON.stringify(new URL('../../store/index.ts', import.meta.url).href)})
    const store = openBusinessStore(${JSON.stringify(bench.directory)})
    const auth = createAuth({ store, sessionHours: 1, loginAttempts: 3, loginWindowMinutes: 1, onUnrecorded: console.error })
    await auth.needsFirstAccount()
    process.stdout.write('ready ')
    for await (const _ of process.stdin);
    const account = { username: ${JSON.stringify(username)}, password: ${JSON.stringify(PASSWORD)} }
    process.stdout.write(await auth.bootstrap(account).then(({ user }) => user.username, (error) => error.code))
    await store.close()`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
  const child = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (text: Buffer) => {
    printed += text.toString()
  })
  return {
    ready: once(child.stdout, 'data'),
    go: () => child.stdin.end(),
    /** The name of the account that was made, or the code of the error. */
    outcome: once(child, 'close').then(() => printed.replace('ready ', ''))
  }
}
