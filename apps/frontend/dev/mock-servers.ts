import type { McpHealth, McpServer, McpServerChange, NewMcpServer } from '@oncall-agent/api-contracts'
import { found, type MockHandlers, MockRefusal, type MockRequest, nextId, pageOf } from './mock-request.ts'
import { sampleServer, sampleTemplates, sampleTools } from './sample-servers.ts'

const CHECK_MS = 1_240

/** Programs of the machine are an administrator's. */
function refuseProgram({ state }: MockRequest, connection: McpServer['connection']): void {
  if (connection.transport === 'stdio' && state.me?.role !== 'admin') throw new MockRefusal('AUTH_FORBIDDEN')
}

function refuseTaken({ state }: MockRequest, name: string, id: string | null): void {
  if (state.servers.some((server) => server.name === name && server.id !== id)) throw new MockRefusal('CONFLICT')
}

const indexOf = ({ state, params }: MockRequest): number => {
  const index = state.servers.findIndex(({ id }) => id === params.id)
  found(state.servers[index])
  return index
}

function create(request: MockRequest) {
  const { secrets, ...fields } = request.body as NewMcpServer
  refuseProgram(request, fields.connection)
  refuseTaken(request, fields.name, null)
  const server = sampleServer(nextId(request.state, 'mcp'), fields.name, {
    ...fields,
    secretNames: Object.keys(secrets).toSorted(),
    updatedAt: Date.now()
  })
  request.state.servers.unshift(server)
  return { body: server }
}

function change(request: MockRequest) {
  const index = indexOf(request)
  const server = request.state.servers[index]!
  const { secrets = {}, ...fields } = request.body as McpServerChange
  refuseProgram(request, server.connection)
  if (fields.connection !== undefined) refuseProgram(request, fields.connection)
  if (fields.name !== undefined) refuseTaken(request, fields.name, server.id)
  const gone = new Set(Object.keys(secrets).filter((name) => secrets[name] === null))
  const names = new Set([...server.secretNames, ...Object.keys(secrets)].filter((name) => !gone.has(name)))
  const enabled = fields.enabled ?? server.enabled
  const state: McpHealth['state'] = enabled ? (server.enabled ? server.health.state : 'unknown') : 'disabled'
  const { allowedTools } = fields
  for (const { name, definition } of allowedTools ?? [])
    if (definition !== undefined) request.state.changedTools.delete(`${server.id}/${name}`)
  const next: McpServer = {
    ...server,
    ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<McpServer>),
    allowedTools: allowedTools?.map(({ name, permission }) => ({ name, permission })) ?? server.allowedTools,
    secretNames: [...names].toSorted(),
    health: { ...server.health, state },
    updatedAt: Date.now()
  }
  request.state.servers[index] = next
  return { body: next }
}

/** The server that failed fails again; any other one has the same tools. */
function check(request: MockRequest) {
  const index = indexOf(request)
  const server = request.state.servers[index]!
  refuseProgram(request, server.connection)
  const isDown = server.health.state === 'failed'
  const health: McpHealth = {
    state: isDown ? 'failed' : 'connected',
    message: isDown ? 'The server did not answer within 15 s.' : 'ok',
    checkedAt: Date.now(),
    serverName: isDown ? null : 'cls-mcp-server <b>',
    serverVersion: isDown ? null : '0.3.4'
  }
  request.state.servers[index] = { ...server, health }
  const permissions = new Map(server.allowedTools.map(({ name, permission }) => [name, permission]))
  const tools = sampleTools.map((tool) => ({
    ...tool,
    permission: permissions.get(tool.name) ?? null,
    changed: permissions.has(tool.name) && request.state.changedTools.has(`${server.id}/${tool.name}`)
  }))
  return { body: { health, tookMs: CHECK_MS, tools: isDown ? [] : tools } }
}

export const serverHandlers: MockHandlers = {
  mcpServers: ({ state, query }) => pageOf(state.servers, query),
  createMcpServer: create,
  mcpTemplates: () => ({ body: { templates: sampleTemplates } }),
  mcpServer: (request) => ({ body: request.state.servers[indexOf(request)] }),
  changeMcpServer: change,
  deleteMcpServer: (request) => {
    request.state.servers.splice(indexOf(request), 1)
    return {}
  },
  checkMcpServer: check
}
