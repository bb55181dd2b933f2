import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLogger } from '../observability/index.ts'
import type { McpRooms } from './rooms.ts'
import { serveOverStdio } from './over-stdio.ts'

test.each(['zh', 'en'] as const)('whoever starts it is answered in their language, %s', async (language) => {
  const asked: string[] = []
  const rooms = {
    search: async (_caller: unknown, _request: unknown, { language: used }: { readonly language: string }) => {
      asked.push(used)
      throw new Error('looked at no further')
    },
    record: async () => undefined,
    logger: createLogger({ level: 'info', destination: { write: () => undefined } }),
    version: '0.1.0'
  } as unknown as McpRooms
  const [input, output] = [new PassThrough(), new PassThrough()]
  const said: string[] = []
  output.on('data', (chunk) => said.push(String(chunk)))
  const caller = {
    userId: 'a',
    tenantId: 'a',
    role: 'member',
    via: 'local',
    scopes: new Set(['retrieve']),
    credentialId: 'a'
  }
  const served = serveOverStdio(
    rooms,
    { caller: caller as never, language },
    { input, output },
    new AbortController().signal
  )
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'test', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'structured_search', arguments: { keywords: ['disk'] } } })
  input.end()
  await served
  expect([asked, said.join('').includes('"id":2')]).toEqual([[language], true])
})
