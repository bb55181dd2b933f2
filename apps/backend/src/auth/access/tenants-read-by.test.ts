import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../caller.ts'
import { LOCAL_TENANT } from '../local-tenant.ts'
import { type AuthBench, openAuthBench, signedIn } from '../test-material/auth-bench.ts'

let bench: AuthBench

beforeEach(async () => {
  bench = await openAuthBench()
})

afterEach(() => bench.close())

function inFile(sql: string, ...values: string[]): void {
  const raw = new DatabaseSync(join(bench.directory, 'business.db'))
  raw.exec('PRAGMA foreign_keys = ON')
  raw.prepare(sql).run(...values)
  raw.close()
}

const share = (baseId: string, userId: string) =>
  inFile('INSERT INTO knowledge_base_reader VALUES (?, ?, 1)', baseId, userId)
const remove = (baseId: string) => inFile('UPDATE knowledge_base SET deleted_at = 1 WHERE id = ?', baseId)
const base = (tenantId: string, name: string) => bench.store.knowledgeBases.ensure(tenantId, name)
const localCaller: Caller = {
  userId: LOCAL_TENANT,
  tenantId: LOCAL_TENANT,
  role: 'member',
  via: 'local',
  scopes: new Set(['retrieve']),
  credentialId: LOCAL_TENANT
}

async function readable(caller: Caller): Promise<readonly string[]> {
  const pairs = await bench.auth.readableBy(caller)
  return pairs.map(({ tenantId, knowledgeBaseId }) => `${tenantId}/${knowledgeBaseId}`).toSorted()
}

describe('what somebody may read', () => {
  it('is their own and what is shared with them, under the tenant whose it is, and nothing else', async () => {
    await signedIn(bench.auth, 'ops')
    const reader = await signedIn(bench.auth, 'reader', 'member')
    const owner = await signedIn(bench.auth, 'owner', 'member')
    const own = await base(reader.user.id, 'own')
    const shared = await base(owner.user.id, 'shared')
    await base(owner.user.id, 'private')
    await base(LOCAL_TENANT, 'default')
    share(shared.id, reader.user.id)
    const expected = [`${reader.user.id}/${own.id}`, `${owner.user.id}/${shared.id}`]
    expect(await readable(reader.caller)).toEqual(expected.toSorted())
  })

  it('is what their key may read', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    await base(user.id, 'own')
    await base(LOCAL_TENANT, 'default')
    const { key } = await bench.auth.createApiKey(caller, { name: 'a', scopes: ['retrieve'] })
    const byKey = await bench.auth.callerOfKey(key)
    if (byKey === undefined) throw new Error('the key does not work')
    expect(await readable(byKey)).toEqual(await readable(caller))
    expect(await readable(byKey)).toHaveLength(2)
  })

  it('is for administrators also what lies in folders, once, even when it was shared with them', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    const folder = await base(LOCAL_TENANT, 'default')
    share(folder.id, user.id)
    expect(await readable(caller)).toEqual([`${LOCAL_TENANT}/${folder.id}`])
  })

  it('is not for administrators what other people have', async () => {
    const { caller } = await signedIn(bench.auth, 'ops')
    const member = await signedIn(bench.auth, 'dev', 'member')
    await base(member.user.id, 'private')
    expect(await readable(caller)).toEqual([])
  })

  it('is for this machine, while there is no account, what lies in folders', async () => {
    const folder = await base(LOCAL_TENANT, 'default')
    await base('somebody', 'default')
    expect(await readable(localCaller)).toEqual([`${LOCAL_TENANT}/${folder.id}`])
  })

  it('never is what was deleted: own, shared, or in folders', async () => {
    const { caller, user } = await signedIn(bench.auth, 'ops')
    const bases = [await base(user.id, 'own'), await base('somebody', 'shared'), await base(LOCAL_TENANT, 'default')]
    share(bases[1]?.id ?? '', user.id)
    expect(await readable(caller)).toHaveLength(3)
    for (const each of bases) remove(each.id)
    expect(await readable(caller)).toEqual([])
    expect(await readable(localCaller)).toEqual([])
  })
})
