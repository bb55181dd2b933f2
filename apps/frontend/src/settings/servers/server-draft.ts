import type { McpServer, McpServerChange, McpTemplate, NewMcpServer } from '@oncall-agent/api-contracts'

type Connection = McpServer['connection']
export type Transport = Connection['transport']

/** A name with a value; of a ready-made entry, with an example of the value. */
export interface ValueRow {
  name: string
  value: string
  readonly example: string
}

/** A secret that the server keeps is never shown: it stays, gets another value or goes. */
export interface SecretRow extends ValueRow {
  readonly isKept: boolean
  plan: 'stay' | 'write' | 'remove'
}

/** A tool server as it is written down in the form: everything is text, both ways to reach it side by side. */
export interface ServerDraft {
  name: string
  transport: Transport
  command: string
  /** One argument a line, so that spaces need no quotes. */
  args: string
  env: ValueRow[]
  url: string
  headers: ValueRow[]
  secrets: SecretRow[]
  timeoutSeconds: number | ''
}

const SECOND = 1_000
const DEFAULT_SECONDS = 30

export const newValue = (name = '', value = '', example = ''): ValueRow => ({ name, value, example })
export const newSecret = (name = ''): SecretRow => ({ name, value: '', example: '', isKept: false, plan: 'write' })
const keptSecret = (name: string): SecretRow => ({ name, value: '', example: '', isKept: true, plan: 'stay' })

export function emptyDraft(transport: Transport): ServerDraft {
  return {
    name: '',
    transport,
    command: '',
    args: '',
    env: [],
    url: '',
    headers: [],
    secrets: [],
    timeoutSeconds: DEFAULT_SECONDS
  }
}

/** What is left to fill in of a ready-made entry. */
export function draftOfTemplate({ name, connection, secretNames, valueNames }: McpTemplate): ServerDraft {
  const asked = Object.entries(valueNames).map(([each, example]) => newValue(each, '', example))
  const given = fieldsOf(connection)
  const values = connection.transport === 'stdio' ? given.env : given.headers
  const rest = asked.filter((row) => values.every((known) => known.name !== row.name))
  values.push(...rest)
  return { ...given, name, secrets: secretNames.map(newSecret), timeoutSeconds: DEFAULT_SECONDS }
}

export function draftOfServer({ name, connection, secretNames, timeoutMs }: McpServer): ServerDraft {
  return { ...fieldsOf(connection), name, secrets: secretNames.map(keptSecret), timeoutSeconds: timeoutMs / SECOND }
}

export function newServerOf(draft: ServerDraft): NewMcpServer {
  const secrets = draft.secrets.filter((row) => !isBlank(row)).map(({ name, value }) => [name.trim(), value])
  return {
    name: draft.name.trim(),
    connection: connectionOf(draft),
    allowedTools: [],
    enabled: true,
    timeoutMs: Math.round(Number(draft.timeoutSeconds) * SECOND),
    secrets: Object.fromEntries(secrets) as Record<string, string>
  }
}

/** Only what is different now: what is not named stays as it is, secrets above all. */
export function changeOf(draft: ServerDraft, server: McpServer): McpServerChange {
  const { name, timeoutMs, connection } = newServerOf(draft)
  const before = newServerOf(draftOfServer(server))
  const secrets = Object.fromEntries(
    draft.secrets
      .filter((row) => row.plan !== 'stay' && !isBlank(row))
      .map((row) => [row.name.trim(), row.plan === 'remove' ? null : row.value])
  )
  return {
    ...(name === server.name ? {} : { name }),
    ...(timeoutMs === server.timeoutMs ? {} : { timeoutMs }),
    ...(isSame(connection, before.connection) ? {} : { connection }),
    ...(Object.keys(secrets).length === 0 ? {} : { secrets })
  }
}

/** A row that was added and never filled in is no row. */
export const isBlank = (row: ValueRow): boolean => row.name.trim() === '' && row.value === ''

export const argumentsOf = ({ args }: ServerDraft): string[] =>
  args.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const rowsOf = (values: Readonly<Record<string, string>>): ValueRow[] =>
  Object.entries(values).map(([name, value]) => newValue(name, value))

const valuesOf = (rows: readonly ValueRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter((row) => !isBlank(row)).map(({ name, value }) => [name.trim(), value]))

function fieldsOf(connection: Connection): ServerDraft {
  const empty = emptyDraft(connection.transport)
  return connection.transport === 'stdio'
    ? { ...empty, command: connection.command, args: connection.args.join('\n'), env: rowsOf(connection.env) }
    : { ...empty, url: connection.url, headers: rowsOf(connection.headers) }
}

function connectionOf(draft: ServerDraft): Connection {
  return draft.transport === 'stdio'
    ? {
        transport: 'stdio',
        command: draft.command.trim(),
        args: argumentsOf(draft),
        env: valuesOf(draft.env)
      }
    : { transport: 'http', url: draft.url.trim(), headers: valuesOf(draft.headers) }
}
