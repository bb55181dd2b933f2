import { mcpServerChangeSchema, newMcpServerSchema } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { sampleServer, sampleServers, sampleTemplates, sampleTools } from '../../../dev/sample-servers.ts'
import { faultsOf, isInTheClear } from './draft-faults.ts'
import { argumentNames, confirmed, forbid, missingOf, permit, permitAll } from './permissions.ts'
import {
  changeOf,
  draftOfServer,
  draftOfTemplate,
  emptyDraft,
  newSecret,
  newServerOf,
  newValue,
  type ServerDraft
} from './server-draft.ts'

const program = (change: Partial<ServerDraft> = {}): ServerDraft => ({
  ...emptyDraft('stdio'),
  name: 'cls',
  command: 'npx',
  ...change
})
const address = (url: string, change: Partial<ServerDraft> = {}): ServerDraft => ({
  ...emptyDraft('http'),
  name: 'wiki',
  url,
  ...change
})
const [cls] = sampleServers

describe('what is sent of a form', () => {
  test('is a program with an argument a line, spaces and all', () => {
    const body = newServerOf(program({ args: '-y\r\n\ncls mcp server\n', env: [newValue('A', '1'), newValue()] }))
    expect(body.connection).toEqual({
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'cls mcp server'],
      env: { A: '1' }
    })
    expect(newMcpServerSchema.safeParse(body).success).toBe(true)
  })

  test('has what the other kind of server would need nowhere in it', () => {
    const draft = address('https://a.example/mcp', { command: 'left over', env: [newValue('A', 'secret')] })
    expect(JSON.stringify(newServerOf(draft))).not.toMatch(/left over|secret"/)
  })

  test('allows no tool: that is for a person to choose', () => {
    expect(newServerOf(program()).allowedTools).toEqual([])
  })
})

describe('what is sent of a change', () => {
  test('is nothing while nothing changed', () => {
    for (const server of sampleServers) expect(changeOf(draftOfServer(server), server)).toEqual({})
    expect(sampleServers.length).toBeGreaterThan(2)
  })

  test('never names a secret that stays', () => {
    const draft = draftOfServer(cls!)
    draft.name = 'logs'
    expect(changeOf(draft, cls!)).toEqual({ name: 'logs' })
  })

  test('replaces one secret, removes another and adds a third', () => {
    const draft = draftOfServer(cls!)
    Object.assign(draft.secrets[0]!, { plan: 'write', value: 'new' })
    draft.secrets[1]!.plan = 'remove'
    draft.secrets.push({ ...newSecret('TOKEN'), value: 't' }, newSecret())
    const change = changeOf(draft, cls!)
    expect(change).toEqual({
      secrets: { TENCENTCLOUD_SECRET_ID: 'new', TENCENTCLOUD_SECRET_KEY: null, TOKEN: 't' }
    })
    expect(mcpServerChangeSchema.safeParse(change).success).toBe(true)
  })

  test('leaves arguments alone that a line cannot hold, as long as nobody touches them', () => {
    const server = sampleServer('s', 's', {
      connection: { transport: 'stdio', command: 'sh', args: ['-c', 'a\nb', ''], env: {} }
    })
    const draft = draftOfServer(server)
    draft.timeoutSeconds = 5
    expect(changeOf(draft, server)).toEqual({ timeoutMs: 5_000 })
  })
})

test('a ready-made entry asks for its values and secrets', () => {
  const draft = draftOfTemplate(sampleTemplates[0]!)
  expect(draft.env).toEqual([{ name: 'TENCENTCLOUD_REGION', value: '', example: 'ap-guangzhou' }])
  expect(faultsOf(draft, true)).toEqual(['valueMissing'])
  draft.env[0]!.value = 'ap-beijing'
  for (const secret of draft.secrets) secret.value = 'x'
  expect(faultsOf(draft, true)).toEqual([])
})

describe('the faults of a form', () => {
  test.each([
    ['a name of other letters', program({ name: '日志' }), ['name']],
    ['a name that is too long', program({ name: 'a'.repeat(33) }), ['name']],
    ['no command', program({ command: ' ' }), ['command']],
    ['no address', address('tools.example.com'), ['url']],
    ['another protocol', address('file:///etc/passwd'), ['url']],
    ['a password in the address', address('https://u:p@a.example/'), ['urlPassword']],
    ['a variable with a space', program({ env: [newValue('A B', '1')] }), ['valueName']],
    ['a value without a name', program({ env: [newValue('', '1')] }), ['valueName']],
    ['a secret without a value', program({ secrets: [newSecret('A')] }), ['valueMissing']],
    ['the same variable twice', program({ env: [newValue('A', '1'), newValue('A', '2')] }), ['twice']],
    [
      'a header in another case',
      address('https://a.example', { headers: [newValue('X-A', '1'), newValue('x-a', '2')] }),
      ['twice']
    ],
    ['no time limit', program({ timeoutSeconds: '' }), ['timeout']],
    ['a time limit of an hour', program({ timeoutSeconds: 3_600 }), ['timeout']],
    ['what only the server knows to be too long', program({ command: 'x'.repeat(5_000) }), ['other']]
  ])('%s', (_what, draft, faults) => {
    expect(faultsOf(draft, true)).toEqual(faults)
  })

  test('two variables that differ in case are two', () => {
    expect(faultsOf(program({ env: [newValue('a', '1'), newValue('A', '2')] }), true)).toEqual([])
  })

  test('a program is an administrator’s', () => {
    expect(faultsOf(program(), false)).toEqual(['administrator'])
    expect(faultsOf(address('https://a.example'), false)).toEqual([])
  })
})

test.each([
  ['http://tools.example.com', true],
  ['https://tools.example.com', false],
  ['http://127.0.0.1:3000/mcp', false],
  ['http://localhost/mcp', false],
  ['http://localhost.example.com/', true]
])('secrets for %s go in the clear: %s', (url, expected) => {
  expect(isInTheClear(address(url, { secrets: [{ ...newSecret('Authorization'), value: 'x' }] }))).toBe(expected)
  expect(isInTheClear(address(url))).toBe(false)
})

const shown = (name: string) => ({ name, definition: `of ${name}` })

describe('permissions', () => {
  const allowed = [
    { name: 'SearchLog', permission: 'allow' },
    { name: 'Gone', permission: 'ask' }
  ] as const

  test('of one tool change, the others stay, and it alone is said to be as it is shown', () => {
    expect(permit(allowed, shown('Gone'), 'allow')[0]).toEqual(allowed[0])
    expect(forbid(allowed, 'SearchLog')).toEqual([allowed[1]])
    expect(permit([], shown('ping'), 'ask')).toEqual([{ name: 'ping', permission: 'ask', definition: 'of ping' }])
  })

  test('given to all at once ask each time, and take nothing back', () => {
    const all = permitAll(allowed, sampleTools)
    expect(all).toHaveLength(5)
    expect(all.filter(({ permission }) => permission === 'allow')).toEqual([allowed[0]])
  })

  test('confirm a changed tool only with the definition that was shown', () => {
    const changed = sampleTools.map((tool) => ({ ...tool, changed: true }))
    const isChanged = (definition?: string) =>
      confirmed(changed, [{ name: 'SearchLog', permission: 'allow', ...(definition ? { definition } : {}) }])[0]!
        .changed
    expect([isChanged(), isChanged('f'.repeat(64)), isChanged(sampleTools[0]!.definition)]).toEqual([true, true, false])
  })

  test('for a tool that is gone are found', () => {
    expect(missingOf(allowed, sampleTools)).toEqual([allowed[1]])
  })

  test('arguments are named from any schema', () => {
    expect(argumentNames(sampleTools[0]!)).toEqual(['TopicId', 'Query', 'From', 'To'])
    expect(argumentNames({ ...sampleTools[0]!, inputSchema: { properties: 'none' } })).toEqual([])
    expect(argumentNames({ ...sampleTools[0]!, inputSchema: {} })).toEqual([])
  })
})
