import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '@oncall-agent/api-contracts'
import { storeFailure } from './store-failure.ts'

export interface RunLock {
  release(): void
}

/**
 * Makes this process the only one that indexes into a data folder. The lock is one of the operating system's, taken
 * through an empty SQLite file, so it ends with the process, whatever ends that; `index.lock.json` only says who it is.
 * @throws AppError DATA_LOCKED, naming the process that holds it; STORAGE_FULL, DATA_CORRUPT or PATH_UNREADABLE
 */
export function acquireRunLock(dataDirectory: string): RunLock {
  const owner = join(dataDirectory, 'index.lock.json')
  try {
    mkdirSync(dataDirectory, { recursive: true })
    const database = new DatabaseSync(join(dataDirectory, 'index.lock'), { timeout: 0 })
    try {
      database.exec('BEGIN EXCLUSIVE')
      writeFileSync(owner, JSON.stringify({ pid: process.pid, startedAt: new Date().toISOString() }))
    } catch (error) {
      database.close()
      throw error
    }
    return { release: () => database.close() }
  } catch (error) {
    throw explain(error, dataDirectory, owner)
  }
}

/** A lock that is taken tells by whom; everything else is what it is for the whole store. */
function explain(error: unknown, dataDirectory: string, ownerFile: string): AppError {
  const about = { operation: 'lock data folder', subject: dataDirectory }
  const failure = storeFailure(error, { ...about, opening: true })
  if (failure.code !== 'DATA_LOCKED') return failure
  const owner = readOwner(ownerFile)
  return new AppError('DATA_LOCKED', {
    ...about,
    cause: error,
    message: `Another process${owner === undefined ? '' : ` (pid ${owner.pid}, since ${owner.startedAt})`} is indexing into this data folder.`,
    hint: 'Wait until it has finished, or end it; the lock ends with it.',
    ...(owner === undefined ? {} : { details: { ...owner } })
  })
}

/** Who wrote the file last; nothing while a new owner is about to write it. */
function readOwner(file: string): { readonly pid: number; readonly startedAt: string } | undefined {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : undefined
  } catch {
    return undefined
  }
}
