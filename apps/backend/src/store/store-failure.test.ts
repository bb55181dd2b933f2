import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBusinessStore } from './open-business-store.ts'
import { storeFailure } from './store-failure.ts'

let directory: string
let other: DatabaseSync | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-store-'))
})
afterEach(async () => {
  if (other?.isOpen) other.close()
  await rm(directory, { recursive: true, force: true })
})

const run = {
  runId: 'run-1',
  tenantId: 'local',
  userId: 'local',
  createdAt: 1_000,
  query: 'q',
  outcome: 'empty' as const,
  record: {}
}

/** A second connection that holds the write lock of the store's file. */
function holdWriteLock(): DatabaseSync {
  other = new DatabaseSync(join(directory, 'business.db'))
  other.exec('BEGIN EXCLUSIVE')
  return other
}

describe('a busy store', () => {
  it('says so when it is opened, and opens when the other has finished', async () => {
    const holder = holdWriteLock()
    expect(() => openBusinessStore(directory, { busyTimeoutMs: 20 })).toThrow(
      expect.objectContaining({ code: 'DATA_LOCKED', hint: expect.stringContaining('Try again') })
    )
    holder.close()
    await openBusinessStore(directory).close()
  })

  it('refuses to write, still reads, and writes when the other has finished', async () => {
    const store = openBusinessStore(directory, { busyTimeoutMs: 20 })
    const base = await store.knowledgeBases.ensure('local', 'default')
    const holder = holdWriteLock()
    await expect(store.runs.insert(run)).rejects.toMatchObject({
      code: 'DATA_LOCKED',
      operation: 'runs: insert',
      message: expect.not.stringContaining(directory)
    })
    await expect(store.knowledgeBases.ensure('local', 'second')).rejects.toMatchObject({ code: 'DATA_LOCKED' })
    expect(await store.knowledgeBases.ofTenant('local')).toEqual([base])

    holder.exec('ROLLBACK')
    await store.runs.insert(run)
    expect(await store.runs.find('local', 'run-1')).toEqual(run)
    await store.close()
  })
})

it('a store whose tables are gone is unavailable, in every operation on them', async () => {
  const store = openBusinessStore(directory)
  other = new DatabaseSync(join(directory, 'business.db'))
  other.exec('DROP TABLE knowledge_base; DROP TABLE retrieval_run')
  const failed = { code: 'SYSTEM_UNAVAILABLE', cause: expect.objectContaining({ code: 'ERR_SQLITE_ERROR' }) }
  await expect(store.knowledgeBases.ensure('local', 'default')).rejects.toMatchObject(failed)
  await expect(store.knowledgeBases.ofTenant('local')).rejects.toMatchObject(failed)
  await expect(store.runs.insert(run)).rejects.toMatchObject(failed)
  await expect(store.runs.find('local', 'run-1')).rejects.toMatchObject(failed)
  await store.close()
  await expect(store.verify()).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
})

const codeOf = (thrown: object, opening: boolean): string =>
  storeFailure(Object.assign(new Error('x'), thrown), { operation: 'o', subject: '/data/business.db', opening }).code

describe('a failure of the store', () => {
  it.each([
    [{ errcode: 5 }, 'DATA_LOCKED', 'DATA_LOCKED'],
    [{ errcode: 517 }, 'DATA_LOCKED', 'DATA_LOCKED'],
    [{ errcode: 6 }, 'DATA_LOCKED', 'DATA_LOCKED'],
    [{ errcode: 13 }, 'STORAGE_FULL', 'STORAGE_FULL'],
    [{ errcode: 4874 }, 'STORAGE_FULL', 'STORAGE_FULL'],
    [{ code: 'ENOSPC' }, 'STORAGE_FULL', 'STORAGE_FULL'],
    [{ errcode: 11 }, 'DATA_CORRUPT', 'DATA_CORRUPT'],
    [{ errcode: 26 }, 'DATA_CORRUPT', 'DATA_CORRUPT'],
    [{ errcode: 14 }, 'PATH_UNREADABLE', 'SYSTEM_UNAVAILABLE'],
    [{ code: 'EACCES' }, 'PATH_UNREADABLE', 'SYSTEM_UNAVAILABLE']
  ])('%j is %s when opening and %s later', (thrown, opening, later) => {
    expect([codeOf(thrown, true), codeOf(thrown, false)]).toEqual([opening, later])
  })

  it('names the path only when opening', () => {
    const damaged = Object.assign(new Error('x'), { errcode: 11 })
    const attempt = { operation: 'o', subject: '/data/business.db' }
    expect(storeFailure(damaged, { ...attempt, opening: true }).message).toContain('/data/business.db')
    expect(storeFailure(damaged, { ...attempt, opening: false }).message).not.toContain('/data')
  })

  it('is given back as it is when it is told already, and takes whatever was thrown', () => {
    const told = new AppError('DATA_FORMAT_NEWER', { operation: 'o' })
    const attempt = { operation: 'o', subject: 's', opening: true }
    expect(storeFailure(told, attempt)).toBe(told)
    expect(storeFailure(undefined, attempt).code).toBe('PATH_UNREADABLE')
  })
})
