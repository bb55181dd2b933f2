import type { User } from '@oncall-agent/api-contracts'
import type { Auth } from '../auth/index.ts'
import type { UserRequest } from '../cli/index.ts'
import { type BackupReport, restoreBackup, type RestoreReport, writeBackup } from '../store/index.ts'
import { expectData } from './data-folder.ts'
import type { Parts } from './parts.ts'
import { openAuth } from './service.ts'

/** What the one who runs the product does with a data folder, at the command line. */
export async function backUp(parts: Parts, file: string, signal: AbortSignal): Promise<BackupReport> {
  expectData(parts)
  // A folder of a later release would be copied without a word, and could not be restored here.
  await parts.store.get()
  const { dataDirectory, version } = parts
  const { model, dimension } = parts.embedder.fingerprint
  return writeBackup({ dataDirectory, file, version, embedder: { model, dimension }, signal })
}

export function restore(parts: Parts, file: string, signal: AbortSignal): Promise<RestoreReport> {
  return restoreBackup({ file, dataDirectory: parts.dataDirectory, signal })
}

/** Accounts, without signing in: whoever may write to the data folder may. */
export async function manageUsers(parts: Parts, request: UserRequest): Promise<readonly User[]> {
  if (request.action !== 'add') expectData(parts)
  const store = await parts.store.get()
  const auth = openAuth(parts, store)
  const { operator } = auth
  if (request.action === 'list') return allUsers(operator)
  if (request.action === 'add') {
    const { username, password, role } = request
    const needsFirst = await auth.needsFirstAccount()
    // The first account is an administrator's: nobody else could add people.
    return [await operator.create({ username, password, role: needsFirst ? 'admin' : role })]
  }
  const found = await store.people.meant(request.person)
  return [await operator.change(found?.id ?? request.person, request.change)]
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
