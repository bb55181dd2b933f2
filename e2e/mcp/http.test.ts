import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../oncall.ts'
import { addPerson, bootstrap, ended, file, type Person } from '../service/people.ts'
import { type Served, startServer } from '../service/served.ts'
import { failureOf, structured, TOOLS } from './asked.ts'

interface Tenant {
  readonly person: Person
  readonly key: string
  readonly baseId: string
  readonly documentId: string
}

let data: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
let ana: Tenant
let bob: Tenant
beforeAll(async () => {
  data = await temporaryFolder()
  server = await startServer(data.path)
  const person = await bootstrap(server.address)
  ana = await tenant(person, '# 磁盘\n\nE_DISK_FULL: 清理 /var/log 后重启采集器。')
  bob = await tenant(
    await addPerson(server.address, person, 'bob'),
    '# Queue\n\nE_QUEUE_FULL: scale out the consumers.'
  )
})
afterAll(async () => {
  await server.stop()
  await data.remove()
})

async function tenant(person: Person, markdown: string): Promise<Tenant> {
  const { api } = person
  const { key } = await api.createApiKey({ body: { name: 'mcp', scopes: ['retrieve'] } })
  const { id: baseId } = await api.createKnowledgeBase({ body: { name: 'runbooks' } })
  const params = { id: baseId }
  const { document, task } = await api.uploadDocuments({
    params,
    form: { index: 'true' },
    files: [file('a.md', markdown)]
  })
  await ended(api, task!.id)
  return { person, key, baseId, documentId: document.id }
}

async function connect(key: string): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: 'conformance', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.address), { requestInit })
  await client.connect(transport as Transport)
  return { client, transport }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'by hand', version: '1' } }
}

function post(body: unknown, headers: Readonly<Record<string, string>>, method = 'POST'): Promise<Response> {
  const accept = 'application/json, text/event-stream'
  return fetch(new URL('/mcp', server.address), {
    method,
    headers: { accept, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {})
  })
}

const keyed = (key: string) => ({ authorization: `Bearer ${key}` })
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: unknown } }).error.code

describe('/mcp, spoken to by the official client', () => {
  test('lists its tools and answers each, within what the key’s owner may read', async () => {
    const { client } = await connect(ana.key)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)
    const bases = structured(await client.callTool({ name: 'list_knowledge_bases' }))
    expect(bases).toMatchObject({ knowledgeBases: [{ id: ana.baseId, origin: 'uploads', documents: 1 }], total: 1 })
    const evidence = await client.callTool({
      name: 'knowledge_retrieval',
      arguments: { query: 'E_DISK_FULL E_QUEUE_FULL' }
    })
    const { citations } = structured(evidence) as { citations: readonly { documentId: string }[] }
    expect(new Set(citations.map(({ documentId }) => documentId))).toEqual(new Set([ana.documentId]))
    const search = await client.callTool({ name: 'structured_search', arguments: { keywords: ['E_DISK_FULL'] } })
    expect(structured(search)).toMatchObject({ status: 'strict_hit', hits: [{ document_id: ana.documentId }] })
    const read = await client.callTool({ name: 'get_document', arguments: { documentId: ana.documentId } })
    expect(structured(read)).toMatchObject({ document: { id: ana.documentId }, nextOffset: null })
    expect((structured(read) as { text: string }).text).toContain('清理 /var/log')
    await client.close()
  })

  test('refuses unknown arguments, and another tenant’s document is not there', async () => {
    const { client } = await connect(bob.key)
    const unknown = await client.callTool({ name: 'list_knowledge_bases', arguments: { tenantId: ana.person.id } })
    expect(failureOf(unknown)).toMatchObject({ code: 'VALIDATION_FAILED' })
    const foreign = failureOf(
      await client.callTool({ name: 'get_document', arguments: { documentId: ana.documentId } })
    )
    const absent = failureOf(await client.callTool({ name: 'get_document', arguments: { documentId: 'never-was' } }))
    expect(foreign).toEqual(absent)
    expect(foreign.code).toBe('NOT_FOUND')
    const filters = { knowledgeBaseIds: [ana.baseId] }
    const beyond = await client.callTool({ name: 'knowledge_retrieval', arguments: { query: 'disk', filters } })
    expect(failureOf(beyond).code).toBe('AUTH_FORBIDDEN')
    await client.close()
  })

  test('serves many clients at once, each with its own answers', async () => {
    const clients = await Promise.all(
      [ana, bob, ana, bob].map(async ({ key, documentId }) => ({ ...(await connect(key)), documentId }))
    )
    const answers = await Promise.all(
      clients.flatMap(({ client, documentId }) =>
        Array.from({ length: 5 }, async () => {
          const read = structured(await client.callTool({ name: 'get_document', arguments: { documentId } }))
          return [(read as { document: { id: string } }).document.id, documentId]
        })
      )
    )
    for (const [got, wanted] of answers) expect(got).toBe(wanted)
    await Promise.all(clients.map(({ client }) => client.close()))
  })

  test('stops a call that is given up, and the session goes on', async () => {
    const { client } = await connect(ana.key)
    const stop = new AbortController()
    const call = { name: 'knowledge_retrieval', arguments: { query: '磁盘满了以后应该先检查什么' } }
    const given = client.callTool(call, undefined, { signal: stop.signal })
    setTimeout(() => stop.abort('enough'), 5)
    await expect(given).rejects.toThrow('enough')
    expect(structured(await client.callTool({ name: 'list_knowledge_bases' }))).toMatchObject({ total: 1 })
    await client.close()
  })

  test('writes each call down for who owns the key', async () => {
    const { items } = await ana.person.api.toolCalls({ query: { tool: 'get_document' } })
    expect(items.length).toBeGreaterThan(0)
    for (const call of items) expect(call).toMatchObject({ origin: 'mcp', userId: ana.person.id, serverId: null })
    const bobs = await bob.person.api.toolCalls({ query: { tool: 'get_document', status: 'failed' } })
    expect(bobs.items[0]).toMatchObject({ failure: { code: 'NOT_FOUND' }, userId: bob.person.id })
  })
})

describe('/mcp lets in', () => {
  test.each<[string, () => Readonly<Record<string, string>>, number, string]>([
    ['nobody without a key', () => ({}), 401, 'AUTH_REQUIRED'],
    ['nobody with a key that does not work', () => keyed('oncall_guess'), 401, 'AUTH_REQUIRED'],
    ['no session of a page', () => ({ cookie: ana.person.cookie }), 401, 'AUTH_REQUIRED'],
    ['no page of another origin', () => ({ ...keyed(ana.key), origin: 'https://evil.example' }), 403, 'AUTH_FORBIDDEN'],
    ['no page without an origin', () => ({ ...keyed(ana.key), origin: 'null' }), 403, 'AUTH_FORBIDDEN']
  ])('%s', async (_who, headers, status, code) => {
    const response = await post(INITIALIZE, headers())
    expect([response.status, await codeOf(response)]).toEqual([status, code])
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer realm="OncallAgent"' : null)
  })

  test('no key without the scope, and no key that was revoked while its session goes on', async () => {
    const { api } = ana.person
    const wrong = await api.createApiKey({ body: { name: 'wrong', scopes: ['ingest', 'alerts', 'admin'] } })
    const refused = await post(INITIALIZE, keyed(wrong.key))
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'AUTH_FORBIDDEN'])
    const right = await api.createApiKey({ body: { name: 'right', scopes: ['retrieve'] } })
    const { client } = await connect(right.key)
    await api.revokeApiKey({ params: { id: right.id } })
    await expect(client.callTool({ name: 'list_knowledge_bases' })).rejects.toMatchObject({ code: 401 })
    await client.close()
  })

  test('a page of its own, and says what it takes of everything else', async () => {
    expect((await post(INITIALIZE, { ...keyed(ana.key), origin: server.address })).status).toBe(200)
    for (const method of ['GET', 'PUT', 'PATCH']) {
      const response = await post(undefined, { ...keyed(ana.key), accept: 'text/event-stream' }, method)
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST, DELETE'])
    }
    expect((await post('{', keyed(ana.key))).status).toBe(400)
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, keyed(ana.key))).status).toBe(400)
    expect((await post({ ...INITIALIZE, filler: 'x'.repeat(1_100_000) }, keyed(ana.key))).status).toBe(413)
    expect((await post(INITIALIZE, { ...keyed(ana.key), 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(INITIALIZE, { ...keyed(ana.key), accept: 'text/html' })).status).toBe(406)
  })
})

describe('a session of /mcp', () => {
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

  test('is of the key that began it, ends by DELETE, and is 404 for every other', async () => {
    const { client, transport } = await connect(ana.key)
    const session = { 'mcp-session-id': transport.sessionId! }
    expect((await post(list, { ...keyed(ana.key), ...session })).status).toBe(200)
    const stolen = await post(list, { ...keyed(bob.key), ...session })
    expect([stolen.status, await codeOf(stolen)]).toEqual([404, 'NOT_FOUND'])
    expect((await post(undefined, { ...keyed(bob.key), ...session }, 'DELETE')).status).toBe(404)
    const second = await ana.person.api.createApiKey({ body: { name: 'second', scopes: ['retrieve'] } })
    expect((await post(list, { ...keyed(second.key), ...session })).status).toBe(404)
    expect((await post(undefined, { ...keyed(ana.key), ...session }, 'DELETE')).status).toBe(200)
    expect((await post(list, { ...keyed(ana.key), ...session })).status).toBe(404)
    await client.close()
  })

  test('that is one too many ends the one that was used longest ago', async () => {
    const { key } = await ana.person.api.createApiKey({ body: { name: 'many', scopes: ['retrieve'] } })
    const begun: string[] = []
    for (let each = 0; each < 33; each++)
      begun.push((await post(INITIALIZE, keyed(key))).headers.get('mcp-session-id')!)
    const statuses = await Promise.all(
      begun.map(async (id) => (await post(list, { ...keyed(key), 'mcp-session-id': id })).status)
    )
    expect(statuses).toEqual([404, ...Array.from({ length: 32 }, () => 200)])
  })
})
