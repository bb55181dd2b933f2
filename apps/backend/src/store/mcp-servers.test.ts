import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredMcpServer } from './mcp-servers.ts'
import { type BusinessStore, openBusinessStore } from './open-business-store.ts'

let folder: string
let store: BusinessStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oncall-mcp-servers-'))
  store = openBusinessStore(folder)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const server = (id: string, changed: Partial<StoredMcpServer> = {}): StoredMcpServer => ({
  id,
  tenantId: 'ana',
  name: id,
  connection: { transport: 'stdio', command: 'logs', args: ['--fast'], env: { REGION: 'gz' } },
  sealedSecrets: 's1.a.b.c.d',
  secretNames: ['TOKEN'],
  allowedTools: [{ name: 'search', permission: 'allow', definition: null }],
  enabled: true,
  timeoutMs: 5_000,
  createdAt: 1,
  updatedAt: 1,
  ...changed
})

describe('tool servers', () => {
  it('come back as they were stored, to their tenant alone', async () => {
    await store.mcpServers.insert(server('a'))
    expect(await store.mcpServers.find('ana', 'a')).toEqual(server('a'))
    expect(await store.mcpServers.find('bob', 'a')).toBeUndefined()
    expect(await store.mcpServers.named('ana', 'a')).toBe('a')
    expect(await store.mcpServers.named('bob', 'a')).toBeUndefined()
    expect(await store.mcpServers.remove('bob', 'a')).toBe(false)
    await store.mcpServers.replace(server('a', { tenantId: 'bob', name: 'stolen' }))
    expect(await store.mcpServers.find('ana', 'a')).toEqual(server('a'))
  })

  it('are listed by name, page by page, each once', async () => {
    for (const name of ['c', 'a', 'e', 'b', 'd']) await store.mcpServers.insert(server(name))
    await store.mcpServers.insert(server('x', { tenantId: 'bob' }))
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await store.mcpServers.list('ana', { limit: 2, cursor })
      expect(page.total).toBe(5)
      names.push(...page.items.map(({ name }) => name))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
    await expect(store.mcpServers.list('ana', { limit: 2, cursor: 'never given' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED'
    })
  })

  it('are changed as a whole and taken away with their secrets', async () => {
    await store.mcpServers.insert(server('a'))
    const changed = server('a', {
      name: 'b',
      connection: { transport: 'http', url: 'https://tools.example/mcp', headers: {} },
      sealedSecrets: null,
      secretNames: [],
      enabled: false,
      timeoutMs: 9_000,
      updatedAt: 2
    })
    await store.mcpServers.replace(changed)
    expect(await store.mcpServers.find('ana', 'a')).toEqual(changed)
    expect(await store.mcpServers.enabled('ana')).toEqual([])
    expect(await store.mcpServers.remove('ana', 'a')).toBe(true)
    expect(await store.mcpServers.count('ana')).toBe(0)
  })

  it('keep what was first seen of an allowed tool, also inside a larger transaction', async () => {
    await store.mcpServers.insert(server('a'))
    await store.mcpServers.pin(
      'ana',
      'a',
      new Map([
        ['search', 'first'],
        ['other', 'x']
      ])
    )
    await store.transaction((tables) => tables.mcpServers.pin('ana', 'a', new Map([['search', 'second']])))
    await store.mcpServers.pin('bob', 'a', new Map([['search', 'third']]))
    await store.mcpServers.pin('ana', 'gone', new Map())
    expect((await store.mcpServers.find('ana', 'a'))?.allowedTools).toEqual([
      { name: 'search', permission: 'allow', definition: 'first' }
    ])
  })
})
