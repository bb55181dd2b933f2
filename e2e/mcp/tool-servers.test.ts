import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createApiClient } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installClsServer } from '../../scripts/services/cls-mcp-server/install.ts'
import { oncall, temporaryFolder } from '../oncall.ts'
import { addPerson, bootstrap, type Person } from '../service/people.ts'
import { type Served, startServer } from '../service/served.ts'

const run = promisify(execFile)
const installed = await installClsServer()
const executable = 'executable' in installed ? installed.executable : ''
const skipped = 'reason' in installed ? ` (skipped: ${installed.reason})` : ''

let data: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
let ana: Person
beforeEach(async () => {
  data = await temporaryFolder()
  server = await startServer(data.path)
  ana = await bootstrap(server.address)
})
afterEach(async () => {
  await server.kill()
  await data.remove()
})

/** Nobody has these; the server wants some to start. */
const SECRETS = { CLS_SECRET_ID: 'AKIDnobodysecretid00', CLS_SECRET_KEY: 'nobodys-secret-key-0000' }

async function addCls(): Promise<string> {
  const connection = { transport: 'stdio' as const, command: executable, args: [], env: { CLS_REGION: 'ap-guangzhou' } }
  const { id } = await ana.api.createMcpServer({ body: { name: 'cls', connection, secrets: SECRETS } })
  return id
}

/** Processes whose environment has the secret: those that were started for the server. */
async function running(): Promise<readonly number[]> {
  const { stdout } = await run('sh', ['-c', `grep -lsa ${SECRETS.CLS_SECRET_ID} /proc/[0-9]*/environ || true`])
  return [...stdout.matchAll(/\/proc\/(\d+)\//g)].map(([, pid]) => Number(pid))
}

async function nobodyRuns(): Promise<boolean> {
  for (let each = 0; each < 200 && (await running()).length > 0; each++) await delay(50)
  return (await running()).length === 0
}

describe.skipIf(skipped !== '')(`somebody else’s tool server, CLS${skipped}`, () => {
  test('starts with its secrets, lists its tools, and ends with the server', async () => {
    const id = await addCls()
    const { health, tools } = await ana.api.checkMcpServer({ params: { id } })
    expect(health).toMatchObject({ state: 'connected', message: '' })
    expect(tools.length).toBeGreaterThan(3)
    for (const tool of tools) expect(tool).toMatchObject({ inputSchema: { type: 'object' }, permission: null })
    expect(await running()).toHaveLength(1)
    expect(await server.stop()).toBe(0)
    expect(await nobodyRuns()).toBe(true)
    expect(server.log()).not.toContain(SECRETS.CLS_SECRET_KEY)
  })

  test('ends also when the server is killed', async () => {
    await ana.api.checkMcpServer({ params: { id: await addCls() } })
    expect(await running()).toHaveLength(1)
    await server.kill()
    expect(await nobodyRuns()).toBe(true)
  })

  test('has its secrets nowhere in the data, and its key in no backup', async () => {
    await addCls()
    const key = await readFile(join(data.path, 'mcp.key'), 'utf8')
    expect((await stat(join(data.path, 'mcp.key'))).mode & 0o777).toBe(0o600)
    const backup = join(data.path, 'backup.tar')
    expect((await oncall(['backup', backup, '--data', data.path])).exit).toBe(0)
    const { stdout: names } = await run('tar', ['-tf', backup])
    expect(names).toContain('business.db')
    expect(names).not.toContain('mcp.key')
    const read = `cat ${data.path}/business.db*; tar -xOf ${backup}`
    const bytes = await run('sh', ['-c', read], { encoding: 'latin1', maxBuffer: 256 * 1024 * 1024 })
    expect(bytes.stdout).toContain('CLS_SECRET_KEY')
    for (const secret of [...Object.values(SECRETS), key.trim()]) expect(bytes.stdout).not.toContain(secret)
  })
})

describe('tool servers over HTTP', () => {
  test('are their person’s alone; programs take an administrator; keys may not touch them', async () => {
    const bob = await addPerson(server.address, ana, 'bob')
    const http = { transport: 'http' as const, url: 'http://127.0.0.1:9/mcp', headers: {} }
    const program = { transport: 'stdio' as const, command: 'true', args: [], env: {} }
    const { id } = await bob.api.createMcpServer({
      body: { name: 'remote', connection: http, secrets: { 'X-Key': 'hunter22' } }
    })
    expect(JSON.stringify(await bob.api.mcpServer({ params: { id } }))).not.toContain('hunter22')
    const params = { id }
    for (const ask of [
      () => ana.api.mcpServer({ params }),
      () => ana.api.checkMcpServer({ params }),
      () => ana.api.changeMcpServer({ params, body: { enabled: false } }),
      () => ana.api.deleteMcpServer({ params })
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    const forbidden = { code: 'AUTH_FORBIDDEN' }
    const body = { name: 'program', connection: program }
    await expect(bob.api.createMcpServer({ body })).rejects.toMatchObject(forbidden)
    await expect(bob.api.changeMcpServer({ params: { id }, body: { connection: program } })).rejects.toMatchObject(
      forbidden
    )
    const { key } = await ana.api.createApiKey({
      body: { name: 'all', scopes: ['retrieve', 'ingest', 'alerts', 'admin'] }
    })
    const keyed = createApiClient({ baseUrl: server.address, apiKey: key })
    await expect(keyed.mcpServers()).rejects.toMatchObject(forbidden)
    expect((await bob.api.mcpTemplates()).templates.map((template) => template.id)).toContain('tencent-cls')
    await bob.api.deleteMcpServer({ params: { id } })
    expect(await bob.api.mcpServers()).toMatchObject({ items: [], total: 0 })
  })
})
