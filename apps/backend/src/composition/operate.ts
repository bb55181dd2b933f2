import type { User } from '@oncall-agent/api-contracts'
import type { Auth } from '../auth/index.ts'
import type { DoctorReport, DoctorRequest, UserRequest } from '../cli/index.ts'
import { compareFactsWithIndex, examine, type Finding, repairDifferences } from '../knowledge/index.ts'
import { type BackupReport, restoreBackup, type RestoreReport, writeBackup } from '../store/index.ts'
import { expectData } from './data-folder.ts'
import type { Parts } from './parts.ts'
import { openAuth, openKnowledge } from './service.ts'

/** What the one who runs the product does with a data folder, at the command line. */
export async function backUp(parts: Parts, file: string, signal: AbortSignal): Promise<BackupReport> {
  expectData(parts)
  const { dataDirectory, version } = parts
  const { model, dimension } = parts.embedder.fingerprint
  return writeBackup({ dataDirectory, file, version, embedder: { model, dimension }, signal })
}

export function restore(parts: Parts, file: string, signal: AbortSignal): Promise<RestoreReport> {
  return restoreBackup({ file, dataDirectory: parts.dataDirectory, signal })
}

/** Looks at every part; with `repair` brings the index to what the facts say, and looks again. */
export async function doctor(parts: Parts, { models, repair }: DoctorRequest): Promise<DoctorReport> {
  expectData(parts)
  const checks = await examine({ models }, { ...parts, facts: parts.store.get, index: parts.index.get })
  const differences = await agreement(parts, repair)
  const all = [...checks, differences]
  return { healthy: all.every((check) => check.ok), checks: all }
}

/** Names so many differences; the rest is a number. */
const DIFFERENCES_NAMED = 20

async function agreement(parts: Parts, repair: boolean): Promise<Finding> {
  const name = 'facts and index'
  try {
    const store = await parts.store.get()
    const { writer } = await parts.index.get()
    const differences = await compareFactsWithIndex(store, writer)
    if (differences.length === 0) return { name, ok: true, found: 'agree', hint: '' }
    const told = differences
      .slice(0, DIFFERENCES_NAMED)
      .map(({ fileName, documentId, found }) => `${fileName} (${documentId}): ${found}`)
    const more = differences.length > told.length ? [`and ${differences.length - told.length} more`] : []
    if (!repair) {
      const hint = 'oncall doctor --repair brings the index to what the facts say.'
      return { name, ok: false, found: [`${differences.length} differences`, ...told, ...more].join('; '), hint }
    }
    const room = await openKnowledge(parts, () => undefined)
    const repaired = await repairDifferences(room.parts, differences).finally(() => room.close())
    const hint = 'What has to be indexed again is enqueued; a running server or oncall worker does it.'
    return {
      name,
      ok: true,
      found: [`${repaired} of ${differences.length} differences repaired`, ...told, ...more].join('; '),
      hint
    }
  } catch (fault) {
    return {
      name,
      ok: false,
      found: fault instanceof Error ? fault.message : String(fault),
      hint: 'See the lines above.'
    }
  }
}

/** Accounts, without signing in: whoever may write to the data folder may. */
export async function manageUsers(parts: Parts, request: UserRequest): Promise<readonly User[]> {
  const auth = openAuth(parts, await parts.store.get())
  const { operator } = auth
  if (request.action === 'list') return allUsers(operator)
  if (request.action === 'add') {
    const { username, password, role } = request
    const needsFirst = await auth.needsFirstAccount()
    // The first account is an administrator's: nobody else could add people.
    return [await operator.create({ username, password, role: needsFirst ? 'admin' : role })]
  }
  const found = (await allUsers(operator)).find(
    ({ id, username }) => request.person === id || same(request.person, username)
  )
  return [await operator.change(found?.id ?? request.person, request.change)]
}

function same(left: string, right: string): boolean {
  return left.toLocaleLowerCase() === right.toLocaleLowerCase()
}

async function allUsers(operator: Auth['operator']): Promise<readonly User[]> {
  const users: User[] = []
  let cursor: string | undefined
  do {
    const page = await operator.list({ limit: 200, cursor })
    users.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return users
}
