import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newMcpServerSchema } from '@oncall-agent/api-contracts'
import type { Caller } from '../../../auth/index.ts'
import { programEnvironment } from '../../../config/index.ts'
import { type BusinessStore, openBusinessStore } from '../../../store/index.ts'
import { createToolServers, type ToolServers, type ToolServersOptions } from '../create-tool-servers.ts'

export interface ServersBench {
  readonly store: BusinessStore
  readonly folder: string
  readonly servers: ToolServers
  /** What was told to the log. */
  readonly told: readonly { readonly reason: string; readonly lastWords: string }[]
  /** Another process over the same data. */
  readonly another: (options?: Partial<ToolServersOptions>) => ToolServers
  readonly close: () => Promise<void>
}

/** Tool servers over a real store; two people, `ana` who is an administrator and `bob` who is not. */
export async function serversBench(options: Partial<ToolServersOptions> = {}): Promise<ServersBench> {
  const folder = mkdtempSync(join(tmpdir(), 'oncall-servers-'))
  const store = openBusinessStore(folder)
  for (const [username, role] of [
    ['ana', 'admin'],
    ['bob', 'member']
  ] as const) {
    await store.people.insert({ id: username, username, passwordHash: 'none', role, createdAt: 1, disabledAt: null })
  }
  const told: { reason: string; lastWords: string }[] = []
  const open: ToolServers[] = []
  const another = (other: Partial<ToolServersOptions> = {}) => {
    const made = createToolServers({
      store,
      key: { given: '', file: join(folder, 'mcp.key') },
      version: '0.1.0',
      connectTimeoutMs: 20_000,
      maxServers: 5,
      environment: programEnvironment(),
      cwd: folder,
      log: { failed: (_id, reason, lastWords) => void told.push({ reason, lastWords }) },
      ...options,
      ...other
    })
    open.push(made)
    return made
  }
  return {
    store,
    folder,
    told,
    another,
    servers: another(),
    close: async () => {
      await Promise.all(open.map((each) => each.close()))
      await store.close()
      rmSync(folder, { recursive: true })
    }
  }
}

export const ana = personCalled('ana', 'admin')
export const bob = personCalled('bob', 'member')

function personCalled(userId: string, role: Caller['role']): Caller {
  return { userId, tenantId: userId, role, via: 'session', scopes: new Set(), credentialId: 'session' }
}

const program = fileURLToPath(new URL('./program.ts', import.meta.url))

/** A new server that is the test's program. */
export function programServer(manner: string, changed: object = {}) {
  const args = ['--disable-warning=ExperimentalWarning', program, manner]
  const connection = { transport: 'stdio', command: process.execPath, args }
  return newMcpServerSchema.parse({ name: 'tools', connection, ...changed })
}

/** A new server at an address. */
export function httpServer(url: string, changed: object = {}) {
  return newMcpServerSchema.parse({ name: 'remote', connection: { transport: 'http', url }, ...changed })
}

export const allow = (...names: readonly string[]) => names.map((name) => ({ name, permission: 'allow' as const }))
export const unaborted = () => new AbortController().signal
