import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { administrator, member, serve } from '../test-material/served.ts'
import { createRateLimit } from './rate-limit.ts'

describe('a rate limit', () => {
  test('lets a minute’s worth through at once, and then one share after the other', () => {
    let now = 0
    const { take } = createRateLimit(60, () => now)
    const taken = Array.from({ length: 61 }, () => take('a'))
    expect(taken.filter((wait) => wait === 0)).toHaveLength(60)
    expect(taken.at(-1)).toBe(1)
    expect(take('b')).toBe(0)
    now = 999
    expect(take('a')).toBe(1)
    now = 1_000
    expect(take('a')).toBe(0)
  })

  test('says how long to wait, and means it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.array(fc.integer({ min: 0, max: 5_000 })),
        (perMinute, pauses) => {
          let now = 0
          const { take } = createRateLimit(perMinute, () => now)
          for (let each = 0; each < perMinute; each++) expect(take('a')).toBe(0)
          for (const pause of pauses) {
            now += pause
            const wait = take('a')
            if (wait === 0) continue
            now += wait * 1_000
            expect(take('a')).toBe(0)
          }
        }
      ),
      { numRuns: 2_000 }
    )
  })

  test('never lets more through than a minute’s worth and its shares', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.integer({ min: 0, max: 900 })), (perMinute, pauses) => {
        let now = 0
        const { take } = createRateLimit(perMinute, () => now)
        let passed = 0
        for (const pause of pauses) {
          now += pause
          if (take('a') === 0) passed += 1
        }
        expect(passed).toBeLessThanOrEqual(perMinute + (now / 60_000) * perMinute)
      })
    )
  })

  test('remembers a bounded number of callers, the latest', () => {
    const { take, size } = createRateLimit(1, () => 0)
    for (let each = 0; each < 20_000; each++) take(`caller ${each}`)
    expect(size()).toBe(10_000)
    expect(take('caller 19999')).toBe(60)
    expect(take('caller 0')).toBe(0)
  })
})

describe('requests over HTTP', () => {
  const limits = { requestsPerMinute: 5 }

  test('are limited for each person, each key and each address, and health never', async () => {
    const served = await serve({ limits })
    const admin = await administrator(served)
    const bob = await member(served)
    const spend = async (headers: Readonly<Record<string, string>>) => {
      const answers = []
      for (let each = 0; each < 6; each++) answers.push(await served.ask('/api/v1/knowledge-bases', { headers }))
      return answers.map(({ status }) => status)
    }
    const key = await admin.key('retrieve')
    expect(await spend(admin.session)).toEqual([200, 200, 200, 200, 200, 429])
    expect(await spend(key)).toEqual([200, 200, 200, 200, 200, 429])
    expect(await spend(bob.session)).toEqual([200, 200, 200, 200, 200, 429])
    expect(await spend({ authorization: 'Bearer guess' })).toEqual([401, 401, 401, 401, 401, 429])
    const refused = await served.ask('/nowhere')
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    for (let each = 0; each < 10; each++) expect((await served.ask('/health')).status).toBe(200)
    expect((await served.ask('/ready')).status).toBe(200)
    await served.close()
  })

  test('of one household with many IPv6 addresses are counted together', async () => {
    const served = await serve({ limits })
    const from = async (remoteAddress: string) =>
      (await served.server.inject({ url: '/openapi.json', remoteAddress })).statusCode
    for (let each = 0; each < 5; each++) expect(await from(`2001:db8:0:7::${each}`)).toBe(200)
    expect(await from('2001:db8:0:7:1:2:3:4')).toBe(429)
    expect(await from('2001:0DB8::0007:1:2:3:4')).toBe(429)
    expect(await from('2001:db8::8')).toBe(200)
    await served.close()
  })

  test('behind a proxy on this machine are counted by whom it speaks for, and nobody else may say so', async () => {
    const served = await serve({ limits: { ...limits, publicOrigin: 'https://oncall.example' } })
    const from = async (remoteAddress: string, forwarded: string) => {
      const headers = { host: 'oncall.example', 'x-forwarded-for': forwarded }
      return (await served.server.inject({ url: '/openapi.json', remoteAddress, headers })).statusCode
    }
    for (let each = 0; each < 5; each++) expect(await from('127.0.0.1', `10.0.0.${each}, 10.0.0.7`)).toBe(200)
    expect(await from('127.0.0.1', '10.0.0.7')).toBe(429)
    expect(await from('127.0.0.1', '::ffff:a00:7')).toBe(429)
    expect(await from('127.0.0.1', '10.0.0.8')).toBe(200)
    for (let each = 0; each < 5; each++) expect(await from('10.0.0.9', `10.1.1.${each}`)).toBe(200)
    expect(await from('10.0.0.9', '10.1.1.9')).toBe(429)
    await served.close()
  })
})
