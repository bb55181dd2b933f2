import { createApiClient, type Prompt, type PromptExport } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createToolAudit } from '../agent/index.ts'
import { administrator, member, serve, type Served, type SignedInPerson } from './test-material/served.ts'

let served: Served
let bob: SignedInPerson
beforeEach(async () => {
  served = await serve()
  await administrator(served)
  bob = await member(served)
})
afterEach(() => served.close())

const ask = (path: string, method: string, body?: unknown, headers = bob.session) =>
  served.ask(`/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

describe('prompts and skills over HTTP', () => {
  test.each(['prompts', 'skills'])('%s are made, changed, read back and deleted', async (place) => {
    const made = await ask(`/${place}`, 'POST', { name: 'mine', description: 'Ours.', content: 'First.' })
    expect(made).toMatchObject({ status: 201, body: { name: 'mine', version: 1 } })
    const { id } = made.body as Prompt
    const change = { description: 'Ours.', content: 'Second.', baseVersion: 1 }
    expect(await ask(`/${place}/${id}`, 'PUT', change)).toMatchObject({ status: 200, body: { version: 2 } })
    expect(await ask(`/${place}/${id}`, 'PUT', change)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', message: expect.stringContaining('changed meanwhile') } }
    })
    expect(await ask(`/${place}/${id}/versions/1`, 'GET')).toMatchObject({ status: 200, body: { content: 'First.' } })
    expect(await ask(`/${place}/${id}/versions`, 'GET')).toMatchObject({ status: 200, body: { total: 2 } })
    const { files } = (await ask(`/${place}/export`, 'GET')).body as PromptExport
    expect(files).toContainEqual({ fileName: 'mine.md', content: expect.stringContaining('Second.') })
    expect(await ask(`/${place}/${id}`, 'DELETE')).toMatchObject({ status: 204 })
    expect(await ask(`/${place}/${id}`, 'GET')).toMatchObject({ status: 404 })
    expect(await ask(`/${place}/import`, 'POST', { files })).toMatchObject({ status: 200, body: { created: 1 } })
  })

  test('an import that is refused says which file, and that a file of an import is too long', async () => {
    const files = [{ fileName: 'a.md', content: 'x' }]
    const { status, body } = await ask('/skills/import', 'POST', { files })
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining('files.0: \\"a.md\\" has no front matter')
    ])
    const long = { files: [{ fileName: 'a.md', content: 'x'.repeat(128_001) }] }
    expect(await ask('/skills/import', 'POST', long)).toMatchObject({ status: 400 })
  })

  test('a key reads them and writes none; another person finds nothing', async () => {
    const made = await ask('/prompts', 'POST', { name: 'mine', description: '', content: 'Text.' })
    const { id } = made.body as Prompt
    const key = await bob.key('retrieve')
    expect(await ask(`/prompts/${id}`, 'GET', undefined, key)).toMatchObject({ status: 200 })
    expect(await ask(`/prompts/${id}`, 'DELETE', undefined, key)).toMatchObject({ status: 403 })
    const eve = await member(served, 'eve')
    expect(await ask(`/prompts/${id}`, 'GET', undefined, eve.session)).toMatchObject({ status: 404 })
    expect(await ask(`/prompts/${id}`, 'DELETE', undefined, eve.session)).toMatchObject({ status: 404 })
  })
})

test('the built-in ones are there before there is any account, for who sits at the machine', async () => {
  const fresh = await serve()
  const client = createApiClient({ baseUrl: `http://127.0.0.1:${fresh.port}` })
  const { items } = await client.prompts({ query: {} })
  expect(items.map(({ id }) => id)).toEqual(['built-in:chat-en', 'built-in:chat-zh'])
  expect(await client.prompt({ params: { id: 'built-in:chat-zh' } })).toEqual(items[1])
  await fresh.close()
})

describe('the audit of tools over HTTP', () => {
  const call = {
    tenantId: 'x',
    origin: 'chat',
    tool: 'up',
    input: {},
    status: 'ok',
    failure: null,
    result: '1'
  } as const
  const record = async (userId: string) => {
    await createToolAudit({ store: served.store }).record({ ...call, userId, startedAt: 1, tookMs: 1 })
  }

  test('shows people their own calls with their names, and everybody’s to administrators', async () => {
    await record(bob.userId)
    const { body, status } = await ask('/tool-audit?tool=up&status=ok', 'GET')
    expect([status, body]).toMatchObject([200, { total: 1, items: [{ username: 'bob', tool: 'up' }] }])
    const { id } = (body as { items: [{ id: string }] }).items[0]
    expect(await ask(`/tool-audit/${id}`, 'GET')).toMatchObject({ status: 200, body: { arguments: '{}' } })
    expect(await ask('/tool-audit?whose=everybody', 'GET')).toMatchObject({ status: 403 })
    const eve = await member(served, 'eve')
    expect(await ask(`/tool-audit/${id}`, 'GET', undefined, eve.session)).toMatchObject({ status: 404 })
    expect(await ask('/tool-audit', 'GET', undefined, eve.session)).toMatchObject({ body: { total: 0 } })
    expect(await ask('/tool-audit?whose=all', 'GET')).toMatchObject({ status: 400 })
  })
})
