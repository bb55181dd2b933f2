import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BusinessStore, openBusinessStore } from './open-business-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const upload = { userId: 'u1', key: 'k1', requestHash: 'h1' }

let directory: string
let store: BusinessStore
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-answers-'))
  store = openBusinessStore(directory)
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

describe('a key of a repeated request', () => {
  test('is claimed once, runs until it is answered, and then gives the answer', async () => {
    const { idempotentAnswers: answers } = store
    expect(await answers.claim(upload, 0)).toEqual({ state: 'claimed' })
    expect(await answers.claim(upload, 1)).toEqual({ state: 'running' })
    await answers.answer(upload, 201, { id: 'd1' })
    expect(await answers.claim(upload, 2)).toEqual({ state: 'answered', status: 201, body: { id: 'd1' } })
  })

  test('is claimed by one of many that come at once', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, () => store.idempotentAnswers.claim(upload, 0)))
    expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1)
  })

  test('names one request of one person', async () => {
    const { idempotentAnswers: answers } = store
    await answers.claim(upload, 0)
    expect(await answers.claim({ ...upload, requestHash: 'h2' }, 1)).toEqual({ state: 'other' })
    expect(await answers.claim({ ...upload, userId: 'u2' }, 1)).toEqual({ state: 'claimed' })
  })

  test('may be used again when the request failed, and never loses an answer so', async () => {
    const { idempotentAnswers: answers } = store
    await answers.claim(upload, 0)
    await answers.release(upload)
    expect(await answers.claim({ ...upload, requestHash: 'h2' }, 1)).toEqual({ state: 'claimed' })
    await answers.answer({ ...upload, requestHash: 'h2' }, 202, null)
    await answers.release({ ...upload, requestHash: 'h2' })
    expect(await answers.claim({ ...upload, requestHash: 'h2' }, 2)).toMatchObject({ state: 'answered' })
  })

  test('is free again after a minute when its process died, and after a day in any case', async () => {
    const { idempotentAnswers: answers } = store
    await answers.claim(upload, 0)
    expect(await answers.claim(upload, MINUTE_MS - 1)).toEqual({ state: 'running' })
    expect(await answers.claim(upload, MINUTE_MS)).toEqual({ state: 'claimed' })
    await answers.answer(upload, 201, {})
    expect(await answers.claim(upload, MINUTE_MS + DAY_MS - 1)).toMatchObject({ state: 'answered' })
    expect(await answers.claim(upload, MINUTE_MS + DAY_MS)).toEqual({ state: 'claimed' })
  })
})
