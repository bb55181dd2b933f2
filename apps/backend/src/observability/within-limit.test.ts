import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withinLimit } from './within-limit.ts'

test('what comes in time is given, also when it is a failure', async () => {
  expect(await withinLimit(Promise.resolve(7), 1_000)).toBe(7)
  await expect(withinLimit(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused')
})

test('what is late is not waited for, and its failure disturbs nobody', async () => {
  const late = delay(30).then(() => Promise.reject(new Error('late')))
  await expect(withinLimit(late, 5)).rejects.toThrow('no answer in 5 ms')
  await delay(40)
})
