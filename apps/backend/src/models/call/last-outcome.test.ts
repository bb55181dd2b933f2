import { expect, it } from 'vitest'
import { FAILURE_KNOWN_MS, LastOutcome } from './last-outcome.ts'

function outcomeAt(clock: { now: number }): LastOutcome {
  return new LastOutcome(() => clock.now)
}

it('is warming only while its first call runs', () => {
  const outcome = outcomeAt({ now: 0 })
  outcome.started()
  expect(outcome.state).toBe('warming')
  outcome.record('succeeded')
  expect(outcome.state).toBe('warm')
  outcome.ended()
  outcome.started()
  expect(outcome.state).toBe('warm')
})

it('forgets a failure after a while, so that someone asks again', () => {
  const clock = { now: 5 }
  const outcome = outcomeAt(clock)
  outcome.record('failed')
  clock.now += FAILURE_KNOWN_MS - 1
  expect(outcome.state).toBe('failed')
  clock.now += 1
  expect(outcome.state).toBe('cold')
})

it('stays failed while the next call runs, and remembers success for good', () => {
  const clock = { now: 0 }
  const outcome = outcomeAt(clock)
  outcome.record('failed')
  outcome.started()
  expect(outcome.state).toBe('failed')
  outcome.record('succeeded')
  clock.now += 100 * FAILURE_KNOWN_MS
  expect(outcome.state).toBe('warm')
})

it('is closed for good', () => {
  const outcome = outcomeAt({ now: 0 })
  outcome.record('closed')
  outcome.record('succeeded')
  expect(outcome.state).toBe('closed')
})
