import { AppError } from '@oncall-agent/api-contracts'
import { expect, test } from 'vitest'
import { baseName } from './base-name.ts'

test('a name of the command line is stored as the server stores names', () => {
  expect(baseName(' e\u0301quipe ')).toBe('\u00E9quipe')
})

test.each([
  ['', '--kb: the name must not be empty.'],
  ['x'.repeat(101), '--kb: the name must have at most 100 characters.'],
  ['a\u001B[31m', '--kb: the name must not hold control characters.']
])('%j is refused with what to mend', (name, message) => {
  expect(() => baseName(name)).toThrow(AppError)
  expect(() => baseName(name)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED', message }))
})
