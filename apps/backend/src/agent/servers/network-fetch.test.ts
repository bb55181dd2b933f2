import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isForbiddenAddress } from './forbidden-address.ts'
import { networkFetch } from './network-fetch.ts'
import { type HttpToolServer, startHttpToolServer } from './test-material/http-server.ts'
import {
  allow,
  ana,
  bob,
  httpServer,
  type ServersBench,
  serversBench,
  unaborted
} from './test-material/servers-bench.ts'

const MESSAGE =
  'The address of the tool server belongs to the machine that we run on, or to its link; only an administrator may have one there.'

test.each([
  ['127.0.0.1', true],
  ['127.255.0.3', true],
  ['0.0.0.0', true],
  ['169.254.169.254', true],
  ['100.100.100.200', true],
  ['::', true],
  ['::1', true],
  ['::7f00:1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:a9fe:a9fe', true],
  ['fe80::1%eth0', true],
  ['febf::1', true],
  ['fd00:ec2::254', true],
  ['not an address', true],
  ['10.0.0.7', false],
  ['192.168.1.2', false],
  ['93.184.215.14', false],
  ['::ffff:10.0.0.7', false],
  ['fd00::7', false],
  ['2606:4700::1111', false]
])('of the address %s it is %s that only an administrator may have it', (address, expected) => {
  expect(isForbiddenAddress(address)).toBe(expected)
})

describe('the server of a member', () => {
  let remote: HttpToolServer
  let bench: ServersBench
  beforeEach(async () => {
    remote = await startHttpToolServer()
    bench = await serversBench()
  })
  afterEach(async () => {
    await bench.close()
    await remote.close()
  })

  test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'])(
    'is not reached on this machine as %s, which is said',
    async (host) => {
      const { id } = await bench.servers.create(
        bob,
        httpServer(`http://${host}:${remote.port}/mcp`, { allowedTools: allow('echo') })
      )
      const { health, tools } = await bench.servers.check(bob, id, unaborted())
      expect([health.state, health.message, tools]).toEqual(['failed', MESSAGE, []])
      expect((await bench.servers.toolsFor(bob, unaborted())).unreachable).toEqual([
        { name: 'remote', failure: MESSAGE }
      ])
      expect(remote.headers).toEqual([])
    }
  )

  test('is reached there while they are an administrator, and no longer', async () => {
    await bench.servers.create(ana, httpServer(remote.url, { allowedTools: allow('echo') }))
    const { tools } = await bench.servers.toolsFor(ana, unaborted())
    const echo = () => tools[0]!.call({ text: 'x' }, { callId: 'c', signal: unaborted(), cite: () => [] })
    expect(await echo()).toEqual({ text: 'x' })
    await bench.store.people.change('ana', { role: 'member' })
    await expect(echo()).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN', message: MESSAGE })
    expect(remote.calls).toEqual(['echo'])
  })
})

const at = (address: string): LookupAddress => ({ address, family: 4 })
/** Answers one list after the other, and the last one again. */
function names(...lists: readonly (readonly LookupAddress[])[]) {
  const asked: string[] = []
  const lookup: LookupFunction = (name, options, found) => {
    const list = lists[Math.min(asked.length, lists.length - 1)]!
    asked.push(name)
    if (options.all === true) found(null, [...list])
    else found(null, list[0]!.address, 4)
  }
  return { asked, lookup, isForbidden: (address: string) => address === '127.0.0.2' }
}

describe('a name', () => {
  let remote: HttpToolServer
  let answered = 0
  beforeEach(async () => {
    answered = 0
    remote = await startHttpToolServer({
      instead: (request, response) => {
        let body = ''
        request.on('data', (chunk) => (body += String(chunk)))
        request.on('end', () => {
          answered += 1
          if (request.url === '/moved') response.writeHead(307, { location: '/' }).end()
          else if (request.method === 'DELETE') response.writeHead(204).end()
          else response.writeHead(200, { 'x-was': request.headers.host }).end(`${request.method} ${body}`)
        })
      }
    })
  })
  afterEach(() => remote.close())

  const url = () => `http://tools.test:${remote.port}/`

  test('is connected to at the very address that was looked at, whatever it has a moment later', async () => {
    const tools = names([at('127.0.0.1')], [at('127.0.0.2')])
    const send = networkFetch(tools)
    const response = await send(url(), { method: 'POST', body: 'asked', headers: { host: 'other', 'x-a': 'b' } })
    expect([response.status, await response.text(), tools.asked]).toEqual([200, 'POST asked', ['tools.test']])
    expect(response.headers.get('x-was')).toBe(`tools.test:${remote.port}`)
    // The next request looks again, and sees.
    await expect(send(url())).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
    expect(answered).toBe(1)
  })

  test('with one forbidden address among others is not connected to at all', async () => {
    const send = networkFetch(names([at('127.0.0.1'), at('127.0.0.2')]))
    await expect(send(url())).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
    await expect(networkFetch(names([]))(url())).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
    expect(answered).toBe(0)
  })

  test('gives redirects back, answers without a body, and ends when it is given up', async () => {
    const send = networkFetch(names([at('127.0.0.1')]))
    expect((await send(`${url()}moved`)).status).toBe(307)
    expect((await send(url(), { method: 'DELETE' })).status).toBe(204)
    await expect(send(url(), { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('aborted')
    expect(answered).toBe(2)
  })
})

test('a member’s server in the network is spoken to like any other', async () => {
  const remote = await startHttpToolServer()
  const send = networkFetch(names([at('127.0.0.1')]))
  const transport = new StreamableHTTPClientTransport(new URL(`http://tools.test:${remote.port}/mcp`), { fetch: send })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Transport)
  const { content } = await client.callTool({ name: 'echo', arguments: { text: '磁盘满了' } })
  expect(content).toEqual([{ type: 'text', text: '磁盘满了' }])
  await transport.terminateSession()
  await client.close()
  expect(remote.sessions.size).toBe(0)
  await remote.close()
})
