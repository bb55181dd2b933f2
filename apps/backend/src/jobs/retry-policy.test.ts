import { AppError, errorCatalogue, errorCodes } from '@oncall-agent/api-contracts'
import { PortError } from '@oncall-agent/retrieval'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultBackOff, faultOf, interrupted, waitAfter } from './retry-policy.ts'

describe('what is tried again', () => {
  it('is everything but what the work itself is at fault for', () => {
    const retried = errorCodes.filter((code) => faultOf(new AppError(code, { operation: 'try' })).retryable)
    expect(retried.toSorted()).toEqual([
      'CANCELLED',
      'CONFIG_INVALID',
      'DATA_CORRUPT',
      'DATA_FORMAT_NEWER',
      'DATA_LOCKED',
      'INDEX_MODEL_MISMATCH',
      'INTERNAL',
      'LIMIT_REACHED',
      'RATE_LIMITED',
      'STORAGE_FULL',
      'SYSTEM_UNAVAILABLE'
    ])
  })

  it.each([new Error('connect to db.internal with key sk-1'), 'a string', undefined, { code: 'NOT_FOUND' }])(
    'includes what nobody foresaw, without its words (%o)',
    (thrown) => {
      const failure = { code: 'INTERNAL', message: errorCatalogue.INTERNAL.message.en }
      expect(faultOf(thrown)).toEqual({ failure, retryable: true })
    }
  )

  it('knows the failures of engines and models', () => {
    const thrown = new PortError('unavailable', {
      operation: 'embed',
      subject: 'http://10.0.0.1',
      reason: 'refused'
    })
    const message = errorCatalogue.SYSTEM_UNAVAILABLE.message.en
    expect(faultOf(thrown)).toEqual({ failure: { code: 'SYSTEM_UNAVAILABLE', message }, retryable: true })
  })
})

describe('the reason', () => {
  it('is the error of the catalogue in its own words, cut to 500 characters', () => {
    const error = new AppError('DOCUMENT_UNREADABLE', { operation: 'read', message: '页'.repeat(501) })
    expect(faultOf(error)).toEqual({
      failure: { code: 'DOCUMENT_UNREADABLE', message: '页'.repeat(500) },
      retryable: false
    })
  })
})

it('the reason is one line, without a character that was cut in two', () => {
  const error = new AppError('DOCUMENT_UNREADABLE', { operation: 'read', message: `a\u001B\n${'b'.repeat(497)}😀` })
  expect(faultOf(error).failure.message).toBe(`a ${'b'.repeat(497)}\uFFFD`)
})

describe('the wait before the next attempt', () => {
  it('is 1, 6, 36 and 216 seconds, then ten minutes', () => {
    const waits = [1, 2, 3, 4, 5, 99].map((attempt) => waitAfter(attempt, defaultBackOff, 0))
    expect(waits).toEqual([1_000, 6_000, 36_000, 216_000, 600_000, 600_000])
  })

  it('is short after a crash, whose lease was a wait already', () => {
    const waits = [1, 2, 3, 4, 5, 99].map((attempt) => waitAfter(attempt, interrupted.backOff ?? defaultBackOff, 0))
    expect(waits).toEqual([100, 300, 900, 2_700, 8_100, 10_000])
  })

  it('is always between the half and the whole of that', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const whole = waitAfter(attempt, defaultBackOff, 0)
          const wait = waitAfter(attempt, defaultBackOff, random)
          expect(wait).toBeLessThanOrEqual(whole)
          expect(wait).toBeGreaterThanOrEqual(whole / 2)
        }
      )
    )
  })
})
