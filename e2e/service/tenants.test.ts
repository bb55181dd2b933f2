import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DatabaseSync } from 'node:sqlite'
import type { Message } from '@oncall-agent/api-contracts'
import { join } from 'node:path'
import { temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { addPerson, bootstrap, ended, file, type Person } from './people.ts'
import { type Served, startServer } from './served.ts'

/** What a route takes beside its path, as the description says. */
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

interface Call {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly string[]
  readonly takes: 'json' | 'form' | undefined
}

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
/** Administrates, and has nothing to do with what ana has. */
let root: Person
let ana: Person
let eve: Person
let calls: readonly Call[]
let anas: Readonly<Record<Belonging, string>>

type Belonging =
  | 'base'
  | 'document'
  | 'task'
  | 'key'
  | 'run'
  | 'conversation'
  | 'message'
  | 'call'
  | 'audited'
  | 'prompt'
  | 'skill'
  | 'toolServer'

beforeAll(async () => {
  ;[stub, folder] = await Promise.all([startModelStub(), temporaryFolder()])
  server = await startServer(folder.path, stub.environment)
  root = await bootstrap(server.address, 'root')
  ana = await addPerson(server.address, root, 'ana')
  eve = await addPerson(server.address, root, 'eve')
  anas = await belongings(ana)
  calls = await describedCalls()
})
afterAll(async () => {
  await server.stop()
  await Promise.all([stub.close(), folder.remove()])
})

const SECRET = 'E_ONLY_ANA'

/** One of everything that has an id. */
async function belongings({ api }: Person): Promise<typeof anas> {
  const base = await api.createKnowledgeBase({ body: { name: 'private' } })
  const { document, task } = await api.uploadDocuments({
    params: { id: base.id },
    form: { index: true },
    files: [file('private.md', `# ${SECRET}\n\nThe word is ${SECRET}.`)]
  })
  await ended(api, task!.id)
  const { id: key } = await api.createApiKey({ body: { name: 'private', scopes: ['retrieve'] } })
  const { runId, results } = await api.retrieve({ body: { query: SECRET } })
  expect(results).toHaveLength(1)
  const held = { base: base.id, document: document.id, task: task!.id, key, run: runId! }
  return { ...held, ...(await conversation(api)), ...(await ofAgent(api)) }
}

/** Without a chat model the answer is what was found; it has called a tool all the same. */
async function conversation(api: Person['api']) {
  const { id } = await api.createConversation({ body: { title: 'private talk' } })
  const events = await api.sendMessage({ params: { id }, body: { content: SECRET } })
  let answer: Message | undefined
  for await (const { event } of events) if (event.type === 'message.completed') answer = event.message
  const [call] = answer?.tools ?? []
  const [audited] = (await api.toolCalls()).items
  return { conversation: id, message: answer!.id, call: call!.callId, audited: audited!.id }
}

async function ofAgent(api: Person['api']) {
  const text = { description: 'private', content: `Say ${SECRET}.` }
  const prompt = await api.createPrompt({ body: { name: 'private-prompt', ...text } })
  const skill = await api.createSkill({ body: { name: 'private-skill', ...text } })
  const connection = { transport: 'http', url: 'https://private.example.com/mcp' } as const
  const { id: toolServer } = await api.createMcpServer({ body: { name: 'private-server', connection } })
  return { prompt: prompt.id, skill: skill.id, toolServer }
}

async function describedCalls(): Promise<readonly Call[]> {
  const { paths } = (await (await fetch(`${server.address}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => {
      const types = Object.keys(requestBody?.content ?? {})
      return {
        name: operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters.filter((each) => each.in === 'path').map((each) => each.name),
        takes: types.includes('multipart/form-data') ? 'form' : types.length > 0 ? 'json' : undefined
      } as const
    })
  )
}

/** The id of ana's that a parameter of a path stands for. @throws for a parameter that nobody has taught this test */
function idFor({ path }: Call, parameter: string): string {
  const [, area = '', beyond] = /^[/]api[/]v1[/]([\w-]+)(?:[/]([\w-]+))?/.exec(path) ?? []
  const known: Readonly<Record<string, string>> = {
    'knowledge-bases id': anas.base,
    'knowledge-bases userId': eve.id,
    'documents id': anas.document,
    'index-tasks id': anas.task,
    'api-keys id': anas.key,
    'users id': ana.id,
    'retrieval runId': anas.run,
    'conversations id': anas.conversation,
    'conversations messageId': anas.message,
    'conversations callId': anas.call,
    'tool-audit id': anas.audited,
    'prompts id': anas.prompt,
    'prompts version': '1',
    'skills id': anas.skill,
    'skills version': '1',
    'mcp-servers id': anas.toolServer
  }
  const id = known[`${area} ${parameter}`]
  if (id === undefined) throw new Error(`${path}: no id of ana's is known for {${parameter}} (${beyond ?? area})`)
  return id
}

/** A body that would do, were it not for whose it is. */
const bodies: Readonly<Record<string, unknown>> = {
  changeKnowledgeBase: { name: 'taken over' },
  changeUser: { disabled: true },
  changeConversation: { title: 'taken over' },
  sendMessage: { content: 'taken over' },
  decideToolCall: { approved: true },
  changePrompt: { description: '', content: 'taken over', baseVersion: 1 },
  changeSkill: { description: '', content: 'taken over', baseVersion: 1 },
  changeMcpServer: { enabled: false }
}

async function ask(person: Person, call: Call): Promise<{ readonly told: string; readonly text: string }> {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(idFor(call, name)))
  const headers: Record<string, string> = { cookie: person.cookie }
  let body: FormData | string | null = null
  if (call.takes === 'form') {
    body = new FormData()
    body.append('index', 'true')
    body.append('file', new Blob(['# Other\n\nOther words.']), 'other.md')
  } else if (call.takes === 'json') {
    if (bodies[call.name] === undefined) throw new Error(`no body is known for ${call.name}`)
    headers['content-type'] = 'application/json'
    body = JSON.stringify(bodies[call.name])
  }
  const response = await fetch(new URL(path, server.address), { method: call.method, headers, body })
  const text = await response.text()
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
  return { told: `${call.method} ${call.path}: ${response.status} ${code}`, text }
}

/** What no request of somebody else's may change: the facts as they lie on disk. When a key was used is no fact. */
function facts(): unknown {
  const database = new DatabaseSync(join(folder.path, 'business.db'), { readOnly: true })
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).all()
  const left = tables
    .map(({ name }) => String(name))
    .filter((name) => !/^(session|login|retrieval_run|idempot|sqlite)/.test(name))
  const rows = left.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()])
  database.close()
  return rows
}

describe("a person with the ids of somebody else's things", () => {
  it('would have got them as their owner: the ids are right', async () => {
    const reading = calls.filter(
      ({ method, parameters, path }) => method === 'GET' && parameters.length > 0 && !path.includes('/users/')
    )
    expect(reading.length).toBeGreaterThan(10)
    for (const call of reading) expect((await ask(ana, call)).told).toBe(`GET ${call.path}: 200 `)
  })

  it('gets nothing of them on any route with an id, and changes nothing', async () => {
    const before = facts()
    const withIds = calls.filter(({ parameters }) => parameters.length > 0)
    expect(withIds.length).toBeGreaterThan(20)
    for (const call of withIds) {
      const { told, text } = await ask(eve, call)
      // Accounts are an administrator's to see, whosever id it is.
      const expected = call.path.startsWith('/api/v1/users/') ? '403 AUTH_FORBIDDEN' : '404 NOT_FOUND'
      expect(told).toBe(`${call.method} ${call.path}: ${expected}`)
      expect(text).not.toContain('private')
    }
    expect(facts()).toEqual(before)
  })

  it('gets nothing of them as an administrator either, but for accounts and the audit of tools', async () => {
    const before = facts()
    const theirs = /[/](users|tool-audit)[/]/
    const withIds = calls.filter(({ parameters, path }) => parameters.length > 0 && !theirs.test(path))
    expect(withIds.length).toBeGreaterThan(15)
    for (const call of withIds) {
      expect((await ask(root, call)).told).toBe(`${call.method} ${call.path}: 404 NOT_FOUND`)
    }
    expect(facts()).toEqual(before)
  })

  it('never sees them in a list', async () => {
    const lists = calls.filter(
      ({ name, method, parameters, path }) =>
        method === 'GET' && parameters.length === 0 && path.startsWith('/api/v1/') && name !== 'me'
    )
    expect(lists.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['knowledgeBases', 'apiKeys', 'jobs', 'users'])
    )
    for (const list of lists) {
      const { text } = await ask(eve, list)
      for (const id of [...Object.values(anas), ana.id, 'private']) expect(text, list.name).not.toContain(id)
    }
    const own = await eve.api.knowledgeBases()
    expect([own.items, own.total]).toEqual([[], 0])
  })

  it('may not name them in a filter, and never finds their words', async () => {
    await expect(
      eve.api.retrieve({ body: { query: SECRET, filters: { knowledgeBaseIds: [anas.base] } } })
    ).rejects.toMatchObject({ status: 403, code: 'AUTH_FORBIDDEN' })
    const { results } = await eve.api.retrieve({ body: { query: SECRET } })
    const named = await eve.api.retrieve({ body: { query: SECRET, filters: { documentIds: [anas.document] } } })
    expect([results, named.results]).toEqual([[], []])
  })
})

describe('a person with whom a knowledge base is shared', () => {
  it('reads all of it, writes none of it, and neither as soon as it is not shared any more', async () => {
    await ana.api.addReader({ params: { id: anas.base, userId: 'eve' } })
    const inBase = calls.filter(
      ({ path, parameters }) => parameters.length > 0 && /[/](knowledge-bases|documents|index-tasks)[/]/.test(path)
    )
    expect(inBase.length).toBeGreaterThan(15)
    const before = facts()
    for (const call of inBase) {
      const { told } = await ask(eve, call)
      expect(told).toBe(`${call.method} ${call.path}: ${expectedOfReader(call)}`)
    }
    expect(facts()).toEqual(before)
    const shared = { body: { query: SECRET, filters: { knowledgeBaseIds: [anas.base] } } }
    expect((await eve.api.retrieve(shared)).results).toHaveLength(1)
    expect((await eve.api.knowledgeBases()).items).toMatchObject([{ id: anas.base, access: 'reader' }])

    await ana.api.removeReader({ params: { id: anas.base, userId: eve.id } })
    await expect(eve.api.retrieve(shared)).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
    for (const call of inBase) {
      expect((await ask(eve, call)).told).toBe(`${call.method} ${call.path}: 404 NOT_FOUND`)
    }
  })
})

/** Who else reads is the owner's to know. */
function expectedOfReader({ name, method }: Call): string {
  return method !== 'GET' || name === 'readers' ? '403 AUTH_FORBIDDEN' : '200 '
}

async function found({ api }: Person): Promise<readonly string[]> {
  const { results } = await api.retrieve({ body: { query: SECRET } })
  return results.map(({ documentId }) => documentId)
}

describe('two people with the same', () => {
  it('name, file name and bytes have two bases and two documents, and deleting the one leaves the other', async () => {
    // A call is counted within its message; everything else has an id of its own.
    const { call: _, ...other } = await belongings(eve)
    expect(Object.values(other).filter((id) => Object.values(anas).includes(id))).toEqual([])
    expect(await found(eve)).toEqual([other.document])
    await eve.api.deleteDocument({ params: { id: other.document } })
    expect(await found(eve)).toEqual([])
    expect(await found(ana)).toEqual([anas.document])
    await eve.api.deleteKnowledgeBase({ params: { id: other.base } })
    expect(await found(ana)).toHaveLength(1)
    expect(await ana.api.document({ params: { id: anas.document } })).toMatchObject({ indexStatus: 'indexed' })
  })
})
