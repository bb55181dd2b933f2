import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BusinessStore, openBusinessStore } from './open-business-store.ts'
import type { StoredRun } from './retrieval-runs.ts'

const BUSY_TIMEOUT_MS = 2_000

let directory: string
let store: BusinessStore
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-runs-'))
  store = openBusinessStore(directory, { busyTimeoutMs: BUSY_TIMEOUT_MS })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const run = (runId: string): StoredRun => ({
  runId,
  tenantId: 't',
  userId: 'u',
  createdAt: 1,
  query: 'q',
  outcome: 'ok',
  record: { chunks: [1] }
})

describe('a run that is recorded while facts are being changed', () => {
  it('waits for the change to be committed, and stops nobody meanwhile', async () => {
    const began = performance.now()
    let recorded: Promise<void> | undefined
    await store.transaction(async (tables) => {
      await tables.knowledgeBases.ensure('t', 'runbooks')
      recorded = store.runs.insert(run('r1'))
      await delay(20)
      await tables.knowledgeBases.ensure('t', 'more')
    })
    await recorded
    expect(performance.now() - began).toBeLessThan(BUSY_TIMEOUT_MS / 2)
    expect(await store.runs.find('t', 'r1')).toEqual(run('r1'))
    expect(await store.knowledgeBases.ofTenant('t')).toHaveLength(2)
  })

  it('is there with all the others when many come at once', async () => {
    const began = performance.now()
    const names = Array.from({ length: 50 }, (_, at) => `r${at}`)
    const changes = names.map((name) =>
      store.transaction(async (tables) => void (await tables.knowledgeBases.ensure('t', name)))
    )
    await Promise.all([...names.map((name) => store.runs.insert(run(name))), ...changes])
    expect(performance.now() - began).toBeLessThan(BUSY_TIMEOUT_MS)
    expect(await Promise.all(names.map((name) => store.runs.find('t', name)))).toEqual(names.map(run))
    expect(await store.knowledgeBases.ofTenant('t')).toHaveLength(50)
  })

  it('is not held up by a change that was undone', async () => {
    let recorded: Promise<void> | undefined
    const change = store.transaction(async () => {
      recorded = store.runs.insert(run('r1'))
      throw new AppError('CONFLICT', { operation: 'change facts' })
    })
    await expect(change).rejects.toMatchObject({ code: 'CONFLICT' })
    await recorded
    expect(await store.runs.find('t', 'r1')).toBeDefined()
  })
})
