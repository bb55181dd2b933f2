import { AppError } from '@oncall-agent/api-contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLoginLimits, type LoginLimits } from './login-limits.ts'

const WINDOW = 900_000
const LIMIT = { attempts: 3, windowMs: WINDOW }
let now: number
let limits: LoginLimits

beforeEach(() => {
  now = 1_000_000
  limits = createLoginLimits({ ofName: LIMIT, ofAddress: LIMIT }, () => now)
})

function attempt(name: string, address: string, outcome: 'failed' | 'succeeded' | 'undone' = 'failed'): void {
  limits.begin({ name, address }).end(outcome)
}

/** Seconds to wait before the next attempt; undefined when it may be made now. */
function waitOf(name: string, address: string): unknown {
  try {
    attempt(name, address, 'undone')
    return undefined
  } catch (refusal) {
    if (refusal instanceof AppError && refusal.code === 'RATE_LIMITED') return refusal.details?.retryAfterSeconds
    throw refusal
  }
}

describe('attempts to sign in', () => {
  it('of a stranger at one address leave the owner of the name their own', () => {
    limits = createLoginLimits({ ofName: { ...LIMIT, attempts: 6 }, ofAddress: LIMIT }, () => now)
    for (let round = 0; round < 3; round += 1) attempt('ops', '192.0.2.1')
    expect(waitOf('ops', '192.0.2.1')).toBeGreaterThan(0)
    expect(waitOf('ops', '198.51.100.7')).toBeUndefined()
  })

  it('of one name are refused from the one after the last allowed, wherever they come from', () => {
    for (const place of [1, 2]) attempt('ops', `192.0.2.${place}`)
    expect(waitOf('ops', '192.0.2.9')).toBeUndefined()
    attempt('ops', '192.0.2.3')
    expect(waitOf('ops', '192.0.2.9')).toBe(900)
    expect(waitOf('OPS', '192.0.2.9')).toBe(900)
    expect(waitOf('dev', '192.0.2.9')).toBeUndefined()
  })

  it('from one address are refused whatever the name, in one network of IPv6 as from one address', () => {
    for (const host of [1, 2, 3]) attempt(`name-${host}`, `2001:db8::${host}`)
    expect(waitOf('other', '2001:db8::ffff')).toBe(900)
    expect(waitOf('other', '2001:db8:0:1::1')).toBeUndefined()
  })

  it('are allowed again when the first of them is as old as the window, not a millisecond before', () => {
    attempt('ops', '192.0.2.1')
    now += 10_000
    attempt('ops', '192.0.2.2')
    attempt('ops', '192.0.2.3')
    now += WINDOW - 10_001
    expect(waitOf('ops', '192.0.2.9')).toBe(1)
    now += 1
    expect(waitOf('ops', '192.0.2.9')).toBeUndefined()
    attempt('ops', '192.0.2.4')
    expect(waitOf('ops', '192.0.2.9')).toBe(10)
  })

  it('are forgiven the name by one that succeeds, and not the address', () => {
    attempt('ops', '192.0.2.1')
    attempt('ops', '192.0.2.1')
    attempt('ops', '192.0.2.1', 'succeeded')
    for (const place of [2, 3]) attempt('ops', `192.0.2.${place}`)
    expect(waitOf('ops', '192.0.2.9')).toBeUndefined()
    attempt('dev', '192.0.2.1')
    expect(waitOf('qa', '192.0.2.1')).toBe(900)
  })

  it('that are being checked count, so that many at once try no more than one after the other', () => {
    const pending = [1, 2, 3].map((place) => limits.begin({ name: 'ops', address: `192.0.2.${place}` }))
    expect(waitOf('ops', '192.0.2.9')).toBe(1)
    pending[0]?.end('undone')
    expect(waitOf('ops', '192.0.2.9')).toBeUndefined()
  })

  it('do not count when something broke while they were checked', () => {
    for (let round = 0; round < 10; round += 1) attempt('ops', '192.0.2.1', 'undone')
    expect(waitOf('ops', '192.0.2.1')).toBeUndefined()
  })

  it('that are refused do not make the wait longer', () => {
    for (const place of [1, 2, 3]) attempt('ops', `192.0.2.${place}`)
    now += WINDOW / 2
    for (let round = 0; round < 10; round += 1) expect(waitOf('ops', '192.0.2.9')).toBe(450)
  })

  it('do not lock anybody out when the clock is set back', () => {
    for (const place of [1, 2, 3]) attempt('ops', `192.0.2.${place}`)
    now -= 10 * WINDOW
    expect(waitOf('ops', '192.0.2.9')).toBeUndefined()
  })

  it('are counted of ten thousand names at most: the one tried longest ago is forgotten', () => {
    const once = { attempts: 1, windowMs: WINDOW }
    limits = createLoginLimits({ ofName: once, ofAddress: once }, () => now)
    for (let index = 0; index < 10_000; index += 1) attempt(`name-${index}`, `address-${index}`)
    expect(waitOf('name-0', 'elsewhere')).toBe(900)
    attempt('one-more', 'one-more')
    expect(waitOf('name-1', 'elsewhere')).toBeUndefined()
    expect(waitOf('name-0', 'elsewhere')).toBe(900)
  })
})
