import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StoredMcpServer } from '../../store/index.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { createConnections } from './connections.ts'
import { HeldServer } from './held-server.ts'
import { type HttpToolServer, startHttpToolServer } from './test-material/http-server.ts'
import { unaborted } from './test-material/servers-bench.ts'

let remote: HttpToolServer
beforeEach(async () => {
  remote = await startHttpToolServer()
})
afterEach(() => remote.close())

const parts: ConnectionParts = {
  version: '0.1.0',
  connectTimeoutMs: 20_000,
  environment: {},
  cwd: '/',
  idleMs: 60_000,
  isOfAdministrator: async () => true,
  unseal: async () => ({}),
  log: { failed: () => undefined }
}

function stored(changed: Partial<StoredMcpServer> = {}): StoredMcpServer {
  return {
    id: 'one',
    tenantId: 'ana',
    name: 'remote',
    connection: { transport: 'http', url: remote.url, headers: {} },
    sealedSecrets: null,
    secretNames: [],
    allowedTools: [],
    enabled: true,
    timeoutMs: 30_000,
    createdAt: 1,
    updatedAt: 1,
    ...changed
  }
}

const meanwhile = 'The tool server was changed or taken away meanwhile.'

describe('a server that was closed', () => {
  test('is not opened again, by whoever still has it', async () => {
    const held = new HeldServer(stored(), parts)
    await held.tools({ signal: unaborted() })
    await held.close()
    await expect(held.tools({ signal: unaborted() })).rejects.toThrow(meanwhile)
    await expect(held.call({ tool: 'echo', input: { text: 'x' } }, unaborted())).rejects.toThrow(meanwhile)
    expect(remote.sessions.size).toBe(0)
  })

  test('while somebody was about to open it is not opened either', async () => {
    const held = new HeldServer(stored(), parts)
    const late = held.tools({ signal: unaborted(), anew: true })
    const [ended] = await Promise.allSettled([late, held.close()])
    expect(ended).toMatchObject({ status: 'rejected', reason: { message: meanwhile } })
    await setImmediate()
    expect(remote.sessions.size).toBe(0)
  })
})

test('an abort while the old connection is let go is not missed', async () => {
  const held = new HeldServer(stored(), parts)
  await held.tools({ signal: unaborted() })
  const asked = remote.headers.length
  const stop = new AbortController()
  const anew = held.tools({ signal: stop.signal, anew: true })
  await setImmediate()
  stop.abort(new Error('stopped'))
  await expect(anew).rejects.toThrow('stopped')
  // The end of the session, and no new one.
  expect(remote.headers.length - asked).toBeLessThanOrEqual(1)
  await held.close()
})

test('who read a server before it was changed does not bring its old way back', async () => {
  const connections = createConnections(parts)
  const [old, changed] = [stored(), stored({ timeoutMs: 9_000, updatedAt: 2 })]
  await connections.tools(old, { signal: unaborted() })
  await connections.forget('one', 2)
  await expect(connections.tools(old, { signal: unaborted() })).rejects.toThrow(meanwhile)
  await connections.tools(changed, { signal: unaborted() })
  await expect(connections.tools(old, { signal: unaborted() })).rejects.toThrow(meanwhile)
  await connections.forget('one', Infinity)
  await expect(connections.tools(changed, { signal: unaborted() })).rejects.toThrow(meanwhile)
  expect(remote.sessions.size).toBe(0)
  await connections.close()
})
