import { setTimeout as delay } from 'node:timers/promises'
import type { McpServer, NewMcpServer } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { programEnvironment } from '../../config/index.ts'
import type { AgentTool } from '../tools/agent-tool.ts'
import { type HttpOptions, type HttpToolServer, startHttpToolServer } from './test-material/http-server.ts'
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
const opened: HttpToolServer[] = []
beforeEach(async () => {
  bench = await serversBench()
})
afterEach(async () => {
  await bench.close()
  for (const each of opened.splice(0)) await each.close()
})

async function remote(options?: HttpOptions): Promise<HttpToolServer> {
  const started = await startHttpToolServer(options)
  opened.push(started)
  return started
}

const add = (server: NewMcpServer): Promise<McpServer> => bench.servers.create(ana, server)

async function toolNamed(name: string): Promise<AgentTool> {
  const { tools, unreachable } = await bench.servers.toolsFor(ana, unaborted())
  const found = tools.find((tool) => tool.name === name)
  if (found === undefined)
    throw new Error(`no ${name}: ${JSON.stringify([tools.map((tool) => tool.name), unreachable])}`)
  return found
}

async function call(tool: AgentTool, input: unknown = {}, signal = unaborted()): Promise<string> {
  const { text } = await tool.call(input, { callId: 'c', signal, cite: () => [] })
  return text
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let each = 0; each < 200 && isAlive(pid); each++) await delay(50)
  return !isAlive(pid)
}

describe.each(['stdio', 'http'])('tools of a server over %s', (transport) => {
  const server = async (changed: object = {}) =>
    transport === 'stdio' ? programServer('', changed) : httpServer((await remote()).url, { name: 'tools', ...changed })

  test('are those that are allowed, bounded, with what was allowed', async () => {
    const allowedTools = [...allow('echo', 'hostile', 'gone', 'large schema'), { name: 'slow', permission: 'ask' }]
    const { id } = await add(await server({ allowedTools }))
    const { tools, unreachable } = await bench.servers.toolsFor(ana, unaborted())
    expect(unreachable).toEqual([])
    expect(tools.map(({ name, permission, serverId }) => [name, permission, serverId === id])).toEqual([
      ['tools__echo', 'allow', true],
      ['tools__hostile', 'allow', true],
      ['tools__slow', 'ask', true]
    ])
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['text'] })
    expect(tools[1]?.description).toHaveLength(4_096)
    expect(tools[1]?.description).not.toMatch(/[\p{Cc}\u202E]/u)
    expect(await call(tools[0]!, { text: '磁盘满了' })).toBe('磁盘满了')
  })

  test('answer many calls at once over one connection, each with its own answer', async () => {
    await add(await server({ allowedTools: allow('echo') }))
    const echo = await toolNamed('tools__echo')
    const asked = Array.from({ length: 50 }, (_, each) => String(each))
    expect(await Promise.all(asked.map((text) => call(echo, { text })))).toEqual(asked)
  })

  test('that fail, refuse, are too long or show pictures are told in words', async () => {
    await add(await server({ allowedTools: allow('failing', 'refusing', 'huge', 'picture', 'structured') }))
    await expect(call(await toolNamed('tools__failing'))).rejects.toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      message: 'The tool says that it has failed: no such topic; tried with nothing'
    })
    await expect(call(await toolNamed('tools__refusing'))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('topic must be a text') as string
    })
    await expect(call(await toolNamed('tools__huge'), ['not an object'])).rejects.toMatchObject({
      code: 'VALIDATION_FAILED'
    })
    const long = await call(await toolNamed('tools__huge'), { characters: 500_000 })
    expect(Buffer.byteLength(long)).toBeLessThan(1_048_576 + 100)
    expect(long).toMatch(/^界+\n\[cut here: these are the first 1048576 of 1500000 bytes\]$/)
    expect(await call(await toolNamed('tools__picture'))).toBe(
      '[image image/png, 300 bytes, not shown]\n[resource file:///a.txt]\ninside\n[link to the resource file:///b.txt: b]'
    )
    expect(await call(await toolNamed('tools__structured'))).toBe('{"lines":3}')
  })

  test('that take too long end at their limit, whatever progress they tell, and the server lives on', async () => {
    await add(await server({ allowedTools: allow('slow', 'echo'), timeoutMs: 1_000 }))
    const started = performance.now()
    await expect(call(await toolNamed('tools__slow'))).rejects.toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      message: 'The tool server did not answer within 1 s.'
    })
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(await call(await toolNamed('tools__echo'), { text: 'still here' })).toBe('still here')
  })

  test('that changed since they were allowed wait for a person, until they are allowed anew', async () => {
    const { id } = await add(await server({ allowedTools: allow('echo', 'change') }))
    expect((await toolNamed('tools__echo')).permission).toBe('allow')
    await call(await toolNamed('tools__change'))
    for (let each = 0; each < 100 && (await toolNamed('tools__echo')).permission === 'allow'; each++) await delay(20)
    expect(await toolNamed('tools__echo')).toMatchObject({
      permission: 'ask',
      description: 'Sends what it is given to somebody else'
    })
    expect((await toolNamed('tools__change')).permission).toBe('allow')
    // The page sends the whole list for each choice: that nobody looked at the changed one is not forgotten.
    await bench.servers.change(ana, id, { allowedTools: allow('echo', 'change', 'failing') })
    expect((await toolNamed('tools__echo')).permission).toBe('ask')
    const { tools } = await bench.servers.check(ana, id, unaborted())
    expect(tools.filter(({ changed }) => changed).map(({ name, permission }) => [name, permission])).toEqual([
      ['echo', 'allow']
    ])
    // Asked instead and allowed again by its name alone: still nobody has said that the new one is meant.
    await bench.servers.change(ana, id, { allowedTools: [{ name: 'echo', permission: 'ask' }, ...allow('change')] })
    await bench.servers.change(ana, id, { allowedTools: allow('echo', 'change') })
    expect((await toolNamed('tools__echo')).permission).toBe('ask')
    const { definition } = tools.find(({ name }) => name === 'echo')!
    await bench.servers.change(ana, id, { allowedTools: [{ ...allow('echo')[0]!, definition }] })
    expect((await toolNamed('tools__echo')).permission).toBe('allow')
    expect((await bench.servers.check(ana, id, unaborted())).tools.some(({ changed }) => changed)).toBe(false)
  })

  test('are allowed as a person was shown them, and not as they are by the time that this is saved', async () => {
    const { id } = await add(await server({ allowedTools: allow('change') }))
    const shown = (await bench.servers.check(ana, id, unaborted())).tools.find(({ name }) => name === 'echo')!
    await call(await toolNamed('tools__change'))
    // Seen by a turn in between, and by no person.
    await toolNamed('tools__change')
    const { definition } = shown
    await bench.servers.change(ana, id, { allowedTools: [{ name: 'echo', permission: 'allow', definition }] })
    for (let each = 0; each < 100 && (await toolNamed('tools__echo')).permission === 'allow'; each++) await delay(20)
    expect((await toolNamed('tools__echo')).permission).toBe('ask')
  })

  test('that were allowed by their name alone are what the first check shows', async () => {
    const { id } = await add(await server({ allowedTools: allow('echo', 'change'), enabled: false }))
    await bench.servers.check(ana, id, unaborted())
    const stored = await bench.store.mcpServers.find('ana', id)
    expect(stored?.allowedTools.map(({ definition }) => definition?.length)).toEqual([64, 64])
  })

  test('have valid names of their own, also where the server’s names are none', async () => {
    await add(await server({ allowedTools: allow('a b', 'a_b') }))
    const { tools } = await bench.servers.toolsFor(ana, unaborted())
    expect(tools).toHaveLength(2)
    for (const { name } of tools) expect(name).toMatch(/^[\w-]{1,64}$/)
    expect(await Promise.all(tools.map((tool) => call(tool)))).toEqual(['a b', 'a_b'])
  })
})

describe('a call that is given up', () => {
  test('ends at once with the reason, and the server is told', async () => {
    const { url, cancelled, calls } = await remote()
    await add(httpServer(url, { allowedTools: allow('slow') }))
    const stop = new AbortController()
    const running = call(await toolNamed('remote__slow'), {}, stop.signal)
    while (calls.length === 0) await delay(10)
    stop.abort(new Error('a person stopped it'))
    await expect(running).rejects.toThrow('a person stopped it')
    for (let each = 0; each < 100 && cancelled.length === 0; each++) await delay(20)
    expect(cancelled).toEqual(['slow'])
  })

  test('while the server is being started leaves the start to others', async () => {
    await add(programServer('', { allowedTools: allow('echo') }))
    const stop = new AbortController()
    const given = bench.servers.toolsFor(ana, stop.signal)
    const waiting = bench.servers.toolsFor(ana, unaborted())
    stop.abort(new Error('stopped'))
    await expect(given).rejects.toThrow('stopped')
    expect((await waiting).tools).toHaveLength(1)
    await expect(bench.servers.toolsFor(ana, stop.signal)).rejects.toThrow('stopped')
  })
})

describe('a running turn', () => {
  const changes: [string, object, string][] = [
    ['was switched off', { enabled: false }, 'Its person has switched the tool server off.'],
    ['has the tool taken back', { allowedTools: allow('slow') }, 'Its person does not allow this tool any more.'],
    [
      'has to be asked for now',
      { allowedTools: [{ name: 'echo', permission: 'ask' }] },
      'Since this answer began a person has to be asked for each call of this tool; it can be called from the next message on.'
    ]
  ]
  test.each(changes)('does not call a server that %s since it began', async (_what, change, message) => {
    const { url, calls } = await remote()
    const { id } = await add(httpServer(url, { allowedTools: allow('echo') }))
    const echo = await toolNamed('remote__echo')
    expect(await call(echo, { text: 'one' })).toBe('one')
    await bench.servers.change(ana, id, change)
    await expect(call(echo, { text: 'two' })).rejects.toMatchObject({ message })
    expect(calls).toEqual(['echo'])
  })

  test('does not call a server that was deleted, nor a program of who is no administrator any more', async () => {
    const { url, calls, sessions } = await remote()
    const { id } = await add(httpServer(url, { allowedTools: allow('echo') }))
    const echo = await toolNamed('remote__echo')
    await bench.servers.remove(ana, id)
    await expect(call(echo, { text: 'two' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect([calls, sessions.size]).toEqual([[], 0])

    await add(programServer('', { allowedTools: allow('echo') }))
    const program = await toolNamed('tools__echo')
    expect(await call(program, { text: 'one' })).toBe('one')
    await bench.store.people.change('ana', { role: 'member' })
    await expect(call(program, { text: 'two' })).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
  })

  test('does not call unseen what the server has changed since it began', async () => {
    await add(httpServer((await remote()).url, { allowedTools: allow('echo', 'change') }))
    const [echo, change] = [await toolNamed('remote__echo'), await toolNamed('remote__change')]
    await call(change)
    const late = async () => {
      for (let each = 0; each < 100; each++) {
        await call(echo, { text: 'x' })
        await delay(20)
      }
    }
    await expect(late()).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
  })

  test('calls what a person allows each time although it runs unseen by now', async () => {
    const allowedTools = [{ name: 'echo', permission: 'ask' }]
    const { id } = await add(httpServer((await remote()).url, { allowedTools }))
    const echo = await toolNamed('remote__echo')
    await bench.servers.change(ana, id, { allowedTools: allow('echo') })
    expect(await call(echo, { text: 'allowed' })).toBe('allowed')
  })

  test('reaches a server where it is now, with the secrets of now, and two turns do not close each other’s', async () => {
    const first = await remote({ token: 'Bearer old-one' })
    const second = await remote({ token: 'Bearer new-one' })
    const secrets = { Authorization: 'Bearer old-one' }
    const { id } = await add(httpServer(first.url, { secrets, allowedTools: allow('echo') }))
    const early = await toolNamed('remote__echo')
    const connection = { transport: 'http' as const, url: second.url, headers: {} }
    await bench.servers.change(ana, id, { connection, secrets: { Authorization: 'Bearer new-one' } })
    const late = await toolNamed('remote__echo')
    for (let each = 0; each < 3; each++) {
      expect(await call(early, { text: 'a' })).toBe('a')
      expect(await call(late, { text: 'b' })).toBe('b')
    }
    expect([first.calls, second.calls.length, first.sessions.size, second.sessions.size]).toEqual([[], 6, 0, 1])
  })

  test('has a call that was under way ended by the change, and told so', async () => {
    const { url, calls } = await remote()
    const { id } = await add(httpServer(url, { allowedTools: allow('slow') }))
    const running = call(await toolNamed('remote__slow'))
    while (calls.length === 0) await delay(10)
    const [ended] = await Promise.allSettled([running, bench.servers.change(ana, id, { enabled: false })])
    const message = 'The tool server was changed or taken away meanwhile.'
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'SYSTEM_UNAVAILABLE', message } })
  })
})

describe('a program', () => {
  test('sees nothing of this process but what it needs, and its own values and secrets', async () => {
    process.env.KB_CHAT__API_KEY = 'not for programs'
    const connection = { ...programServer('').connection, env: { REGION: 'gz' } }
    await add(
      programServer('', { connection, secrets: { TOKEN: 'a secret of it' }, allowedTools: allow('environment') })
    )
    const seen = JSON.parse(await call(await toolNamed('tools__environment'))) as { env: object; cwd: string }
    delete process.env.KB_CHAT__API_KEY
    expect(
      Object.keys(seen.env)
        .filter((name) => !(name in programEnvironment()))
        .toSorted()
    ).toEqual(['REGION', 'TOKEN'])
    expect(seen.env).not.toHaveProperty('KB_CHAT__API_KEY')
    expect(seen.env).toMatchObject({ REGION: 'gz', TOKEN: '[hidden]' })
    expect(seen.cwd).toBe(bench.folder)
  })

  test('that dies is told, started again after a pause, and its last words are in the log without secrets', async () => {
    await add(programServer('', { allowedTools: allow('die', 'echo'), secrets: { TEST_SECRET: 'hunter22' } }))
    await expect(call(await toolNamed('tools__die'))).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    const { unreachable } = await bench.servers.toolsFor(ana, unaborted())
    expect(unreachable).toEqual([
      { name: 'tools', failure: 'The tool server has ended; the next use starts it again.' }
    ])
    expect(bench.told.some(({ lastWords }) => lastWords.includes('it hurts, token [hidden]'))).toBe(true)
    expect(JSON.stringify(bench.told)).not.toContain('hunter22')
    await delay(1_100)
    expect(await call(await toolNamed('tools__echo'), { text: 'again' })).toBe('again')
  })

  test('ends with all that it has started when the connections are closed', async () => {
    await add(programServer('stubborn', { allowedTools: allow('environment', 'child') }))
    const { pid } = JSON.parse(await call(await toolNamed('tools__environment'))) as { pid: number }
    const child = Number(await call(await toolNamed('tools__child')))
    expect([isAlive(pid), isAlive(child)]).toEqual([true, true])
    await bench.servers.close()
    expect([await gone(pid), await gone(child)]).toEqual([true, true])
    await expect(bench.servers.toolsFor(ana, unaborted())).resolves.toMatchObject({ tools: [] })
  })

  test('that dies leaves nothing running of what it has started', async () => {
    await add(programServer('', { allowedTools: allow('die', 'child') }))
    const child = Number(await call(await toolNamed('tools__child')))
    expect(isAlive(child)).toBe(true)
    await expect(call(await toolNamed('tools__die'))).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    expect(await gone(child)).toBe(true)
  })

  test('that nobody uses ends, and the next use starts another', async () => {
    const servers = bench.another({ idleMs: 100 })
    await bench.servers.create(ana, programServer('', { allowedTools: allow('environment') }))
    const pidNow = async () => {
      const { tools } = await servers.toolsFor(ana, unaborted())
      return (JSON.parse(await call(tools[0]!)) as { pid: number }).pid
    }
    const first = await pidNow()
    expect(await gone(first)).toBe(true)
    expect(await pidNow()).not.toBe(first)
  })

  test('may write other things than messages to its output', async () => {
    await add(programServer('noisy', { allowedTools: allow('echo') }))
    expect(await call(await toolNamed('tools__echo'), { text: 'heard' })).toBe('heard')
  })

  test.each([
    ['ends', 'The tool server ended before it had answered.'],
    ['silent', 'The tool server did not answer within 4 s.'],
    ['endless', 'The tool server ended before it had answered.']
  ])('that %s is left out of the turn, with the reason', async (manner, failure) => {
    const servers = bench.another({ connectTimeoutMs: manner === 'silent' ? 4_000 : 20_000 })
    await add(programServer(manner, { allowedTools: allow('echo'), secrets: { TEST_SECRET: 'hunter22' } }))
    await add(programServer('', { name: 'other', allowedTools: allow('echo') }))
    const { tools, unreachable } = await servers.toolsFor(ana, unaborted())
    expect(unreachable).toEqual([{ name: 'tools', failure }])
    expect(tools.map(({ name }) => name)).toEqual(['other__echo'])
    expect(JSON.stringify(bench.told)).toContain(manner === 'ends' ? 'no configuration for [hidden]' : '')
  })

  test('that is not there is left out, and a shell reads nothing of its name', async () => {
    const connection = { transport: 'stdio', command: `true; touch ${bench.folder}/made`, args: ['$(id)'] }
    await add(programServer('', { connection, allowedTools: allow('echo') }))
    const { unreachable } = await bench.servers.toolsFor(ana, unaborted())
    expect(unreachable).toEqual([
      { name: 'tools', failure: 'The program of the tool server was not found on this machine.' }
    ])
  })

  test('of who is no administrator any more does not run', async () => {
    await add(programServer('', { allowedTools: allow('echo') }))
    const asMember = await bench.servers.toolsFor({ tenantId: 'ana', userId: 'bob' }, unaborted())
    expect(asMember).toEqual({
      tools: [],
      unreachable: [{ name: 'tools', failure: 'Programs of this machine run for administrators only.' }]
    })
  })
})

describe('a server at an address', () => {
  test('gets headers and secrets, and whoever it sends elsewhere does not', async () => {
    const elsewhere = await remote()
    const { url, headers } = await remote({ token: 'Bearer hunter22' })
    const connection = { transport: 'http', url, headers: { 'X-Team': 'night shift' } }
    await add(
      httpServer(url, { connection, secrets: { Authorization: 'Bearer hunter22' }, allowedTools: allow('echo') })
    )
    expect(await call(await toolNamed('remote__echo'), { text: 'let in' })).toBe('let in')
    expect(headers[0]).toMatchObject({ authorization: 'Bearer hunter22', 'x-team': 'night shift' })

    const moved = await remote({
      instead: (_request, response) => response.writeHead(307, { location: elsewhere.url }).end()
    })
    await add(
      httpServer(moved.url, {
        name: 'moved',
        secrets: { Authorization: 'Bearer hunter22' },
        allowedTools: allow('echo')
      })
    )
    const { unreachable } = await bench.servers.toolsFor(ana, unaborted())
    expect(unreachable).toEqual([
      { name: 'moved', failure: 'The tool server sent the request to another origin (307); that is not followed.' }
    ])
    expect(elsewhere.headers).toEqual([])
  })

  test.each<[string, HttpOptions, string]>([
    ['refuses the key', { token: 'Bearer other' }, 'The tool server refused the credentials (401).'],
    [
      'has no MCP there',
      { instead: (_q, r) => r.writeHead(404).end() },
      'There is no tool server at this address (404).'
    ],
    [
      'is down',
      { instead: (_q, r) => r.writeHead(502).end('secret stack') },
      'The tool server answered with the HTTP status 502.'
    ],
    [
      'answers a page',
      { instead: (_q, r) => r.setHeader('content-type', 'text/html').end('<p>') },
      'The tool server answered with something that is not MCP.'
    ],
    ['hangs up', { instead: (q) => q.socket.destroy() }, 'The tool server could not be reached.'],
    ['never answers', { instead: () => undefined }, 'The tool server did not answer within 1.5 s.'],
    [
      'never ends its answer',
      {
        instead: (_q, r) => {
          r.setHeader('content-type', 'application/json').write('{"jsonrpc": "2.0", "text": "')
          const filling = setInterval(() => r.write('x'.repeat(1_000_000)), 1)
          r.on('close', () => clearInterval(filling))
        }
      },
      'The tool server could not be reached.'
    ]
  ])('that %s is left out of the turn, with the reason', async (_what, options, failure) => {
    const servers = bench.another({ connectTimeoutMs: _what === 'never answers' ? 1_500 : 20_000 })
    const { url } = await remote(options)
    await add(httpServer(url, { secrets: { Authorization: 'Bearer hunter22' }, allowedTools: allow('echo') }))
    const { tools, unreachable } = await servers.toolsFor(ana, unaborted())
    expect([tools, unreachable]).toEqual([[], [{ name: 'remote', failure }]])
    expect(JSON.stringify(bench.told)).not.toMatch(/hunter22/)
  })

  test('that was started anew is asked again without anybody noticing', async () => {
    const { url, forgetSessions, calls } = await remote()
    await add(httpServer(url, { allowedTools: allow('echo') }))
    const echo = await toolNamed('remote__echo')
    expect(await call(echo, { text: 'one' })).toBe('one')
    forgetSessions()
    expect(await call(echo, { text: 'two' })).toBe('two')
    expect(calls).toEqual(['echo', 'echo'])
  })

  test('is told that the session is over when the connection is closed', async () => {
    const { url, sessions } = await remote()
    await add(httpServer(url, { allowedTools: allow('echo') }))
    await toolNamed('remote__echo')
    expect(sessions.size).toBe(1)
    await bench.servers.close()
    expect(sessions.size).toBe(0)
  })

  test('gives tools to its own person, and only where something is allowed and it is enabled', async () => {
    const { url, headers } = await remote()
    await bench.servers.create(ana, httpServer(url, { allowedTools: allow('echo') }))
    await bench.servers.create(bob, httpServer(url, { name: 'nothing-allowed' }))
    await bench.servers.create(bob, httpServer(url, { name: 'off', enabled: false, allowedTools: allow('echo') }))
    expect(await bench.servers.toolsFor(bob, unaborted())).toEqual({ tools: [], unreachable: [] })
    expect(headers).toEqual([])
    expect((await bench.servers.toolsFor(ana, unaborted())).tools).toHaveLength(1)
    expect(await bench.servers.toolsFor({ tenantId: 'local', userId: 'local' }, unaborted())).toEqual({
      tools: [],
      unreachable: []
    })
  })
})
