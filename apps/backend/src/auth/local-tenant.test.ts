import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BusinessStore, openBusinessStore } from '../store/index.ts'
import { LOCAL_TENANT, localReader } from './local-tenant.ts'

let directory: string
let store: BusinessStore

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-auth-'))
  store = openBusinessStore(directory)
})

afterEach(async () => {
  await store.close()
  await rm(directory, { recursive: true, force: true })
})

describe('the local reader', () => {
  it('may read all knowledge bases of the local tenant, and no other', async () => {
    const mine = await store.knowledgeBases.ensure(LOCAL_TENANT, 'default')
    await store.knowledgeBases.ensure('somebody', 'default')
    expect(await localReader(store)).toEqual({
      tenantId: LOCAL_TENANT,
      userId: LOCAL_TENANT,
      readable: [{ tenantId: LOCAL_TENANT, knowledgeBaseId: mine.id }]
    })
  })

  it('narrows to the names asked for, and names the one that is not there with those that are', async () => {
    const mine = await store.knowledgeBases.ensure(LOCAL_TENANT, '团队')
    await store.knowledgeBases.ensure(LOCAL_TENANT, 'default')
    const { readable } = await localReader(store, ['团队'])
    expect(readable).toEqual([{ tenantId: LOCAL_TENANT, knowledgeBaseId: mine.id }])
    await expect(localReader(store, ['nope'])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('nope'),
      hint: expect.stringMatching(/团队.*default|default.*团队/)
    })
  })
})
