import { expect, test } from 'vitest'
import { invalidInput } from './invalid-input.ts'

test('a request that is not valid names three of its faults and reports fifty', () => {
  const issues = Array.from({ length: 60 }, (_, at) => ({ field: `f${at}`, problem: 'must be a number' }))
  const { code, message, details, operation } = invalidInput(issues)
  expect([code, operation]).toEqual(['VALIDATION_FAILED', 'check request'])
  expect(message).toBe('The request is not valid. f0: must be a number; f1: must be a number; f2: must be a number.')
  expect(details).toEqual({ issues: issues.slice(0, 50) })
})

test('one sentence of its own still comes with the fault', () => {
  const issue = { field: 'currentPassword', problem: 'is not right' }
  const error = invalidInput([issue], { operation: 'change password', message: 'The current password is not right.' })
  expect(error).toMatchObject({
    message: 'The current password is not right.',
    operation: 'change password',
    subject: 'currentPassword',
    details: { issues: [issue] }
  })
})
