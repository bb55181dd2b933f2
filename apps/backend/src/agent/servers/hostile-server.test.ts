import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { describe, expect, test } from 'vitest'
import { boundedFetch } from './bounded-fetch.ts'
import { listTools } from './list-tools.ts'
import { programTransport } from './program-transport.ts'
import { startHttpToolServer } from './test-material/http-server.ts'
import { allow, ana, httpServer, programServer, serversBench, unaborted } from './test-material/servers-bench.ts'

/** A client whose server answers each page so. */
function clientOf(page: (at: number) => object, timeouts: number[] = []): Client {
  let at = 0
  const request = async (_asked: unknown, _schema: unknown, { timeout }: { readonly timeout: number }) => {
    timeouts.push(timeout)
    await delay(Math.min(30, timeout))
    return page(at++)
  }
  return { request } as unknown as Client
}

/** Nested as deeply as told. */
function nested(levels: number): object {
  let schema: object = { type: 'object' }
  for (let level = 1; level < levels; level++) schema = { type: 'object', properties: { a: schema } }
  return schema
}

describe('the list of a hostile server', () => {
  test('has no schema that whoever walks through it would end with', async () => {
    const tools = [
      { name: 'flat', inputSchema: nested(8) },
      { name: 'words', inputSchema: { type: 'object', description: '[{'.repeat(1_000) } },
      { name: 'deep', inputSchema: nested(1_000) },
      { name: 'deepest', inputSchema: JSON.parse('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)) as object }
    ]
    const list = await listTools(
      clientOf(() => ({ tools })),
      10_000
    )
    expect([list.tools.map(({ name }) => name), list.leftOut]).toEqual([['flat', 'words'], 2])
  })

  test('is bounded as a whole, not only tool by tool', async () => {
    const inputSchema = { type: 'object', description: 'x'.repeat(60_000) }
    const page = (at: number) => ({
      tools: Array.from({ length: 10 }, (_, each) => ({ name: `t${at}-${each}`, inputSchema })),
      nextCursor: String(at + 1)
    })
    const { tools } = await listTools(clientOf(page), 60_000)
    expect(tools.length).toBeLessThan(75)
    expect(tools.length).toBeGreaterThan(60)
  })

  test('that comes drop by drop has the time of one, not that of each page', async () => {
    const timeouts: number[] = []
    await listTools(
      clientOf((at) => ({ tools: [], nextCursor: String(at) }), timeouts),
      300
    )
    expect(timeouts[0]).toBeLessThanOrEqual(300)
    expect(timeouts[5]).toBeLessThan(timeouts[0]! - 100)
    expect(Math.min(...timeouts)).toBe(1)
  })
})

test('a server that keeps the word after its introduction waiting does not keep a turn waiting', async () => {
  let asked = 0
  const server = await startHttpToolServer({
    instead: (request, response) => {
      asked += 1
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        if (!body.includes('"initialize"')) return
        const { id } = JSON.parse(body) as { readonly id: number }
        const serverInfo = { name: 'slow', version: '1' }
        const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
    }
  })
  const bench = await serversBench({ connectTimeoutMs: 1_000 })
  await bench.servers.create(ana, httpServer(server.url, { allowedTools: allow('echo'), timeoutMs: 600_000 }))
  const { unreachable } = await bench.servers.toolsFor(ana, unaborted())
  expect(unreachable).toEqual([{ name: 'remote', failure: 'The tool server did not answer within 1 s.' }])
  expect(asked).toBe(2)
  await bench.close()
  await server.close()
})

test('a stream of small events without an end is cut', async () => {
  const event = Buffer.from(`data: ${'x'.repeat(100_000)}\n\n`)
  const server = await startHttpToolServer({
    instead: (_request, response) => {
      response.setHeader('content-type', 'text/event-stream')
      const more = (): void => {
        while (response.write(event));
      }
      response.on('drain', more)
      more()
    }
  })
  const response = await boundedFetch(30_000, async () => true)(server.url, { method: 'POST', body: '{}' })
  let read = 0
  const reading = (async () => {
    for await (const chunk of response.body!) read += chunk.length
  })()
  await expect(reading).rejects.toThrow('bytes in one stream')
  expect(read).toBeLessThanOrEqual(67_108_864)
  await server.close()
})

test('requests that a server leaves without an answer do not pile up', async () => {
  const server = await startHttpToolServer({ instead: () => undefined })
  const send = boundedFetch(30_000, async () => true)
  const stop = new AbortController()
  const init = { method: 'POST', body: '{}', signal: stop.signal }
  const waiting = Array.from({ length: 256 }, () => send(server.url, init).catch(() => 'stopped'))
  await expect(send(server.url, init)).rejects.toThrow('more than 256 requests at once')
  stop.abort()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['stopped']))
  await server.close()
})

test('a program that babbles is ended, and fills neither the log nor our time', async () => {
  const bench = await serversBench()
  await bench.servers.create(ana, programServer('babbling', { allowedTools: allow('echo') }))
  const { unreachable } = await bench.servers.toolsFor(ana, unaborted())
  expect(unreachable).toMatchObject([{ name: 'tools' }])
  expect(bench.told.length).toBeGreaterThan(50)
  expect(bench.told.length).toBeLessThan(110)
  await bench.close()
})

test('a program that reads nothing of what it is told is ended before it fills our memory', async () => {
  const args = ['-e', 'setInterval(() => undefined, 1000)']
  const transport = programTransport({ command: process.execPath, args, env: {}, cwd: '/' })
  const ended = new Promise<string>((resolve) => Object.assign(transport, { onclose: () => resolve('ended') }))
  await transport.start()
  const message = { jsonrpc: '2.0' as const, method: 'x', params: { text: 'x'.repeat(1_000_000) } }
  const sent = await Promise.allSettled(Array.from({ length: 20 }, () => transport.send(message)))
  expect(sent.at(-1)).toMatchObject({ status: 'rejected' })
  await transport.close()
  expect(await ended).toBe('ended')
})
