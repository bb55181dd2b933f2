import { errorBodySchema } from '@oncall-agent/api-contracts'
import { expect } from 'vitest'
import type { RawAnswer } from './raw-request.ts'

/** What no answer may tell: where things lie, what they are made of, how it failed inside. */
const INSIDE =
  /node_modules|[Ss][Qq][Ll]ite|SQLITE|[Kk]ysely|[.][tj]s:\d|\n\s+at |\bat (Object|async|new|file:)|\bE[A-Z]{4,}\b: /

/** No fault of ours, a status that is told, the one shape of errors with its request id, and nothing of the inside. */
export function expectFit(answer: RawAnswer, statuses: readonly number[], secrets: readonly string[]): void {
  const whole = `${answer.status} ${JSON.stringify([...answer.headers])} ${answer.body}`
  expect(statuses, whole).toContain(answer.status)
  expect(whole).not.toMatch(INSIDE)
  for (const secret of secrets) expect(whole).not.toContain(secret)
  if (answer.status < 400) return
  expect(answer.headers.get('content-type'), whole).toBe('application/json; charset=utf-8')
  // The answer to HEAD has no body.
  if (answer.body === '') return
  const { error } = errorBodySchema.strict().parse(JSON.parse(answer.body))
  expect(error.requestId, whole).toBe(answer.headers.get('x-request-id'))
}
