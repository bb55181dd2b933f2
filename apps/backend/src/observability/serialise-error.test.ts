import { describe, expect, test } from 'vitest'
import { serialiseError } from './serialise-error.ts'

describe('a serialised error', () => {
  test('keeps name, stack and fields, and redacts each', () => {
    const error = Object.assign(new TypeError('bad'), { subject: 'http://a:bcdefgh@c', apiKey: 'k' })
    const serialised = serialiseError(error)
    expect(serialised).toMatchObject({ name: 'TypeError', message: 'bad' })
    expect(serialised.stack).toContain('serialise-error.test.ts')
    expect(serialised.fields).toEqual({ subject: 'http://[hidden]@c', apiKey: '[hidden]' })
  })

  test.each([
    ['a text', 'boom', { name: 'string', message: 'boom' }],
    ['nothing', undefined, { name: 'undefined', message: 'undefined' }],
    ['a plain object', { status: 3, apiKey: 'k' }, { name: 'object', message: '{"status":3,"apiKey":"[hidden]"}' }]
  ])('takes %s that was thrown', (_what, thrown, expected) => {
    expect(serialiseError(thrown)).toEqual(expected)
  })

  test('takes an object that cannot be read', () => {
    const hostile = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      }
    })
    expect(serialiseError(hostile).message).toBe('an object that cannot be shown')
  })

  test('ends on an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(JSON.stringify(serialiseError(error)).match(/"message":"round"/g)?.length).toBeLessThan(12)
  })
})
