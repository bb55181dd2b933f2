import { once } from 'node:events'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oncall, repository, runbooks, temporaryFolder } from '../oncall.ts'
import { failureOf, structured, TOOLS } from './asked.ts'

let data: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  data = await temporaryFolder()
  const { exit, stderr } = await oncall(['index', runbooks, '--data', data.path])
  if (exit !== 0) throw new Error(stderr)
})
afterAll(() => data.remove())

async function connect(): Promise<Client> {
  const client = new Client({ name: 'conformance', version: '1' })
  const command = join(repository, 'bin/oncall')
  await client.connect(new StdioClientTransport({ command, args: ['mcp', '--data', data.path], stderr: 'ignore' }))
  return client
}

describe('oncall mcp, spoken to by the official client', () => {
  let client: Client
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  test('introduces itself and lists four tools that only read', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'oncall-agent' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(description?.length).toBeGreaterThan(50)
    }
  })

  test('answers every tool with what its schema says, which the client checks', async () => {
    await client.listTools()
    const bases = structured(await client.callTool({ name: 'list_knowledge_bases' }))
    expect(bases).toMatchObject({ knowledgeBases: [{ name: 'default', origin: 'folder' }], total: 1 })

    const asked = { name: 'knowledge_retrieval', arguments: { query: 'E_CONN_RESET', topK: 3 } }
    const evidence = structured(await client.callTool(asked)) as Evidence
    expect(evidence.citations.length).toBeGreaterThan(0)
    expect(evidence.citations).toHaveLength(evidence.results.length)
    expect(evidence.results[0]?.content).toContain('E_CONN_RESET')

    const search = { name: 'structured_search', arguments: { keywords: ['E_CONN_RESET'], mode: 'auto' } }
    expect(structured(await client.callTool(search))).toMatchObject({ status: 'strict_hit' })

    const { documentId, start, end } = evidence.citations[0]!
    const document = structured(await client.callTool({ name: 'get_document', arguments: { documentId } }))
    expect(document).toMatchObject({ document: { id: documentId }, offset: 0, nextOffset: null })
    const whole = (document as { text: string }).text
    expect(whole.slice(start, end)).toBe(evidence.results[0]?.content)
    const part = { documentId, offset: 10, limit: 25 }
    const window = structured(await client.callTool({ name: 'get_document', arguments: part }))
    expect(window).toMatchObject({ text: whole.slice(10, 35), offset: 10, nextOffset: 35, length: whole.length })
  })

  test.each([
    ['knowledge_retrieval', { query: 'a', limit: 3 }, 'limit: is not known here'],
    ['knowledge_retrieval', { query: '' }, 'query'],
    ['knowledge_retrieval', { query: 'a', tenantId: 'other' }, 'tenantId: is not known here'],
    ['structured_search', { keywords: ['a'], owner: 'x' }, 'owner: is not known here'],
    ['list_knowledge_bases', { all: true }, 'all: is not known here'],
    ['get_document', { documentId: 'a', path: '/etc/passwd' }, 'path: is not known here'],
    ['get_document', {}, 'documentId']
  ])('%s refuses %j and names the field', async (name, given, named) => {
    const failure = failureOf(await client.callTool({ name, arguments: given }))
    expect(failure.code).toBe('VALIDATION_FAILED')
    expect(failure.message).toContain(named)
  })

  test('says what is not there, and what may not be read, in the words of the HTTP interface', async () => {
    const gone = { name: 'get_document', arguments: { documentId: '../../../etc/passwd' } }
    expect(failureOf(await client.callTool(gone)).code).toBe('NOT_FOUND')
    const foreign = { query: 'a', filters: { knowledgeBaseIds: ['somebody-else'] } }
    expect(failureOf(await client.callTool({ name: 'knowledge_retrieval', arguments: foreign })).code).toBe(
      'AUTH_FORBIDDEN'
    )
    await expect(client.callTool({ name: 'delete_everything' })).rejects.toMatchObject({ code: -32_602 })
  })

  test('stops a call that is given up, and answers the next', async () => {
    const stop = new AbortController()
    const given = client.callTool({ name: 'knowledge_retrieval', arguments: { query: '磁盘满了怎么办' } }, undefined, {
      signal: stop.signal
    })
    stop.abort('enough')
    await expect(given).rejects.toThrow('enough')
    expect(structured(await client.callTool({ name: 'list_knowledge_bases' }))).toMatchObject({ total: 1 })
  })

  test('serves a second client beside the first', async () => {
    const other = await connect()
    const answers = await Promise.all(
      [client, other].map(async (each) => {
        const asked = { name: 'knowledge_retrieval', arguments: { query: 'E_CONN_RESET' } }
        return (structured(await each.callTool(asked)) as Evidence).results
      })
    )
    expect(answers[0]).toEqual(answers[1])
    await other.close()
  })
})

describe('oncall mcp as a process', () => {
  const hello = message(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'by hand', version: '1' }
  })

  test('writes the protocol alone to its output, answers what it was asked before the end of its input, and ends', async () => {
    const child = launch(data.path)
    const ended = once(child, 'exit')
    const call = { name: 'knowledge_retrieval', arguments: { query: 'E_CONN_RESET' } }
    child.stdin!.end(hello + message(2, 'tools/call', call) + 'no message at all\n' + message(3, 'ping', {}))
    const lines = (await text(child.stdout!)).trim().split('\n')
    const answers = lines.map((line) => JSON.parse(line) as { readonly id: number; readonly result: object })
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3])
    expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({ structuredContent: { topK: 5 } })
    expect(await ended).toEqual([0, null])
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('ends by %s although its client is still there', async (signal) => {
    const child = launch(data.path)
    const ended = once(child, 'exit')
    child.stdin!.write(hello)
    await once(child.stdout!, 'data')
    child.kill(signal)
    expect((await ended)[0]).toBe(0)
  })

  test('without anything indexed says so, and makes nothing', async () => {
    const empty = await temporaryFolder()
    const nowhere = join(empty.path, 'nowhere')
    const { exit, stdout, stderr } = await oncall(['mcp', '--data', nowhere])
    expect([exit, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Nothing is indexed')
    await empty.remove()
  })

  test('writes each call down', async () => {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(join(data.path, 'business.db'), { readOnly: true })
    const rows = database
      .prepare("SELECT tool, status, user_id, origin FROM tool_call WHERE tool = 'get_document'")
      .all()
    database.close()
    expect(rows).toContainEqual(expect.objectContaining({ status: 'ok', user_id: 'local', origin: 'mcp' }))
    expect(rows).toContainEqual(expect.objectContaining({ status: 'failed' }))
  })
})

function launch(directory: string): ChildProcess {
  return spawn(join(repository, 'bin/oncall'), ['mcp', '--data', directory], { stdio: 'pipe' })
}

interface Evidence {
  readonly results: readonly { readonly content: string }[]
  readonly citations: readonly { readonly documentId: string; readonly start: number; readonly end: number }[]
}

function message(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
}
