import { createApiClient, errorsOf, type RouteName, routes } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { answerMock } from './mock-api.ts'
import { mockState, type MockState } from './mock-state.ts'
import { users } from './samples.ts'

function clientOf(state: MockState) {
  return createApiClient({
    baseUrl: 'http://mock.test',
    fetch: async (input, init) => (await answerMock(state, new Request(input, init)))!
  })
}
const asMember = (): MockState => ({ ...mockState('in'), me: users[1]! })

/** A refusal that the route is told to have. */
async function expectRefusal(call: Promise<unknown>, route: RouteName, code: string): Promise<void> {
  await expect(call).rejects.toMatchObject({ code })
  expect(errorsOf(routes[route])).toContain(code)
}

describe('prompts and skills of the mock', () => {
  test('an address that is written out is no id', async () => {
    const { files } = await clientOf(mockState('in')).exportSkills()
    expect(files.map(({ fileName }) => fileName)).toEqual(['disk-full.md', 'switch-primary.md'])
  })

  test('what it exports it takes again, unchanged', async () => {
    const api = clientOf(mockState('in'))
    const { files } = await api.exportSkills()
    expect(await api.importSkills({ body: { files: [...files] } })).toEqual({ created: 0, updated: 0, unchanged: 2 })
  })

  test('a version that is not the newest is a conflict, and what the product brings along stays', async () => {
    const api = clientOf(mockState('in'))
    const body = { description: '', content: 'x', baseVersion: 3 }
    await expectRefusal(api.changeSkill({ params: { id: 'skill-disk-full' }, body }), 'changeSkill', 'CONFLICT')
    await expectRefusal(api.deletePrompt({ params: { id: 'builtin-answer' } }), 'deletePrompt', 'CONFLICT')
    const version = await api.promptVersion({ params: { id: 'prompt-diagnosis', version: '0' } })
    expect(version.createdBy).toBeNull()
  })
})

describe('tool servers of the mock', () => {
  test('templates come before ids, and each one is a server that its own contract takes', async () => {
    const { templates } = await clientOf(mockState('in')).mcpTemplates()
    expect(templates.map(({ id }) => id)).toEqual(['cls', 'stdio', 'http'])
  })

  test('never tells a secret', async () => {
    const api = clientOf(mockState('in'))
    const connection = { transport: 'http', url: 'https://a.example/mcp' } as const
    const made = await api.createMcpServer({ body: { name: 'a', connection, secrets: { Authorization: 'hush' } } })
    expect(made.secretNames).toEqual(['Authorization'])
    expect(JSON.stringify([made, await api.mcpServers()])).not.toContain('hush')
  })

  test('a program is refused to a member', async () => {
    const connection = { transport: 'stdio', command: 'npx' } as const
    const call = clientOf(asMember()).createMcpServer({ body: { name: 'a', connection } })
    await expectRefusal(call, 'createMcpServer', 'AUTH_FORBIDDEN')
  })
})

describe('the audit of the mock', () => {
  test('keeps other people’s calls from a member', async () => {
    const api = clientOf(asMember())
    await expectRefusal(api.toolCalls({ query: { whose: 'everybody' } }), 'toolCalls', 'AUTH_FORBIDDEN')
    await expectRefusal(api.toolCall({ params: { id: 'call-0' } }), 'toolCall', 'NOT_FOUND')
    const { items } = await api.toolCalls()
    expect(items.length).toBeGreaterThan(0)
    expect(items.every(({ userId }) => userId === 'u-2')).toBe(true)
  })
})

test('models of the mock are tested in the caller’s language', async () => {
  const api = clientOf(mockState('in'))
  expect((await api.models()).models.map(({ part }) => part)).toEqual(['chat', 'embedding', 'rerank'])
  expect(await api.testModel({ body: { part: 'rerank' } })).toMatchObject({ ok: false, part: 'rerank' })
})
