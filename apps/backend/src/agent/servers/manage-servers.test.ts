import { chmod, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { mcpServerSchema, mcpTemplateSchema, newMcpServerSchema } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startHttpToolServer } from './test-material/http-server.ts'
import {
  allow,
  ana,
  bob,
  httpServer,
  programServer,
  type ServersBench,
  serversBench,
  unaborted
} from './test-material/servers-bench.ts'

let bench: ServersBench
beforeEach(async () => {
  bench = await serversBench()
})
afterEach(() => bench.close())

const many = (from: number) => Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`S${from + at}`, 'v']))
const nowhere = (changed: object = {}) => httpServer('http://127.0.0.1:9/mcp', changed)

describe('tool servers', () => {
  test('are kept as they were given, without their secrets', async () => {
    const given = nowhere({
      secrets: { Authorization: 'Bearer hunter22' },
      allowedTools: allow('echo'),
      timeoutMs: 2_000
    })
    const created = await bench.servers.create(bob, given)
    expect(mcpServerSchema.parse(created)).toEqual(created)
    expect(created).toMatchObject({
      name: 'remote',
      allowedTools: allow('echo'),
      timeoutMs: 2_000,
      secretNames: ['Authorization'],
      health: { state: 'unknown', checkedAt: null }
    })
    expect(await bench.servers.show(bob, created.id)).toEqual(created)
    expect(await bench.servers.list(bob, { limit: 10 })).toEqual({ items: [created], nextCursor: null, total: 1 })
    expect(JSON.stringify(created)).not.toMatch(/hunter22|s1\.|tenantId/)
    await bench.store.close()
    const file = await readFile(join(bench.folder, 'business.db'), 'latin1').catch(() => '')
    const log = await readFile(join(bench.folder, 'business.db-wal'), 'latin1').catch(() => '')
    expect(file + log).not.toContain('hunter22')
    expect(file + log).toContain('s1.')
  })

  test('of somebody else are not there', async () => {
    const { id } = await bench.servers.create(bob, nowhere())
    const notFound = { code: 'NOT_FOUND' }
    await expect(bench.servers.show(ana, id)).rejects.toMatchObject(notFound)
    await expect(bench.servers.change(ana, id, { enabled: false })).rejects.toMatchObject(notFound)
    await expect(bench.servers.check(ana, id, unaborted())).rejects.toMatchObject(notFound)
    await expect(bench.servers.remove(ana, id)).rejects.toMatchObject(notFound)
    expect((await bench.servers.list(ana, { limit: 10 })).total).toBe(0)
  })

  test('that are programs take an administrator, in every way that leads to one', async () => {
    const forbidden = { code: 'AUTH_FORBIDDEN' }
    await expect(bench.servers.create(bob, programServer(''))).rejects.toMatchObject(forbidden)
    const { id } = await bench.servers.create(bob, nowhere())
    const { connection } = programServer('')
    await expect(bench.servers.change(bob, id, { connection })).rejects.toMatchObject(forbidden)
    // An administrator who is none any more.
    const formerly = { ...ana, role: 'member' as const }
    const program = await bench.servers.create(ana, programServer('', { enabled: false }))
    await expect(bench.servers.change(formerly, program.id, { enabled: true })).rejects.toMatchObject(forbidden)
    await expect(bench.servers.change(formerly, program.id, { name: 'other' })).rejects.toMatchObject(forbidden)
    await expect(bench.servers.check(formerly, program.id, unaborted())).rejects.toMatchObject(forbidden)
    await bench.servers.remove(formerly, program.id)
    expect((await bench.servers.list(ana, { limit: 10 })).total).toBe(0)
  })

  test('have names of their own and a number that is bounded', async () => {
    const first = await bench.servers.create(bob, nowhere())
    await expect(bench.servers.create(bob, nowhere())).rejects.toMatchObject({ code: 'CONFLICT' })
    await bench.servers.create(ana, nowhere())
    for (const name of ['b', 'c', 'd', 'e']) await bench.servers.create(bob, nowhere({ name }))
    await expect(bench.servers.create(bob, nowhere({ name: 'f' }))).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(bench.servers.change(bob, first.id, { name: 'b' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await bench.servers.change(bob, first.id, { name: 'remote' })).toMatchObject({ name: 'remote' })
  })

  test('are changed field by field; of secrets one is set, one removed, one stays', async () => {
    const { id } = await bench.servers.create(bob, nowhere({ secrets: { A: 'one', B: 'two' } }))
    const change = { secrets: { B: null, C: 'three' }, timeoutMs: 5_000 }
    const changed = await bench.servers.change(bob, id, change)
    expect(changed).toMatchObject({ secretNames: ['A', 'C'], timeoutMs: 5_000, name: 'remote', enabled: true })
    const none = await bench.servers.change(bob, id, { secrets: { A: null, C: null } })
    expect(none.secretNames).toEqual([])
    expect((await bench.store.mcpServers.find('bob', id))?.sealedSecrets).toBeNull()
  })

  test('have a number of secrets that is bounded, also when they come one change after the other', async () => {
    const { id } = await bench.servers.create(bob, nowhere({ secrets: many(0) }))
    await expect(bench.servers.change(bob, id, { secrets: many(40) })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED'
    })
    expect((await bench.servers.show(bob, id)).secretNames).toHaveLength(40)
  })

  test('are templates too, which the contract takes once they are filled in', () => {
    const { templates } = bench.servers
    expect(templates.map(({ id }) => id)).toEqual(['tencent-cls', 'http', 'stdio'])
    for (const template of templates) {
      expect(mcpTemplateSchema.parse(template)).toEqual(template)
      const { name, connection } = template
      const secrets = Object.fromEntries(template.secretNames.map((each) => [each, 'value']))
      expect(newMcpServerSchema.safeParse({ name, connection, secrets }).success).toBe(true)
    }
  })
})

describe('a check', () => {
  test('connects now, lists every page, and tells what is allowed', async () => {
    const { id } = await bench.servers.create(ana, programServer('', { allowedTools: allow('echo'), enabled: false }))
    const { health, tools } = await bench.servers.check(ana, id, unaborted())
    expect(health).toMatchObject({
      state: 'connected',
      serverName: 'test tools',
      serverVersion: '1.2.3',
      message: '1 of its tools can not be used: too many, too large, or with a name that is not allowed.'
    })
    expect(tools.length).toBeGreaterThan(10)
    expect(tools.find(({ name }) => name === 'echo')).toMatchObject({
      title: 'Echo',
      saysReadOnly: true,
      permission: 'allow'
    })
    expect(tools.find(({ name }) => name === 'slow')).toMatchObject({ saysReadOnly: false, permission: null })
    expect(await bench.servers.show(ana, id)).toMatchObject({ enabled: false, health: { state: 'disabled' } })
  })

  test('tells a failure as the state of the server, at once and whatever the pause', async () => {
    const { id } = await bench.servers.create(ana, nowhere({ allowedTools: allow('echo') }))
    const failed = { state: 'failed', message: 'The tool server could not be reached.' }
    for (let each = 0; each < 3; each++) {
      const checked = await bench.servers.check(ana, id, unaborted())
      expect(checked).toMatchObject({ health: failed, tools: [] })
    }
    expect((await bench.servers.show(ana, id)).health).toMatchObject(failed)
    const server = await startHttpToolServer()
    await bench.servers.change(ana, id, { connection: { transport: 'http', url: server.url, headers: {} } })
    expect((await bench.servers.show(ana, id)).health.state).toBe('unknown')
    expect((await bench.servers.check(ana, id, unaborted())).health.state).toBe('connected')
    await bench.servers.close()
    await server.close()
  })

  test('after a failure is not needed for the next turn, but until the pause is over nobody waits for it', async () => {
    let asked = 0
    const server = await startHttpToolServer({ instead: (_q, r) => void r.writeHead((asked += 1) && 500).end() })
    await bench.servers.create(ana, httpServer(server.url, { allowedTools: allow('echo') }))
    for (let each = 0; each < 5; each++) await bench.servers.toolsFor(ana, unaborted())
    expect(asked).toBe(1)
    await delay(1_100)
    await bench.servers.toolsFor(ana, unaborted())
    expect(asked).toBe(2)
    await server.close()
  })
})

describe('a key that is lost, changed or open to others', () => {
  test('stops the servers whose secrets it sealed, says what to do, and no other', async () => {
    const server = await startHttpToolServer()
    const sealed = await bench.servers.create(
      ana,
      httpServer(server.url, { secrets: { Authorization: 'Bearer a' }, allowedTools: allow('echo') })
    )
    await bench.servers.create(ana, httpServer(server.url, { name: 'open', allowedTools: allow('echo') }))
    const key = join(bench.folder, 'mcp.key')
    await chmod(key, 0o644)
    const turn = async () => bench.another().toolsFor(ana, unaborted())
    expect(await turn()).toMatchObject({
      tools: [{ name: 'open__echo' }],
      unreachable: [
        { name: 'remote', failure: 'The key file of tool servers is open to others; its mode must be 600.' }
      ]
    })
    await rm(key)
    expect((await turn()).unreachable[0]?.failure).toBe('The key that seals the secrets of tool servers is missing.')
    await bench.servers.create(
      ana,
      httpServer(server.url, { name: 'later', secrets: { X: 'y' }, allowedTools: allow('echo') })
    )
    const { tools, unreachable } = await turn()
    expect(tools.map(({ name }) => name)).toEqual(['later__echo', 'open__echo'])
    expect(unreachable[0]?.failure).toContain('were sealed with another key')

    await expect(bench.servers.change(ana, sealed.id, { secrets: { Other: 'x' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID'
    })
    expect(await bench.servers.show(ana, sealed.id)).toMatchObject({ secretNames: ['Authorization'] })
    await bench.servers.change(ana, sealed.id, { secrets: { Authorization: 'Bearer b' } })
    expect((await turn()).unreachable).toEqual([])
    await server.close()
  })
})
