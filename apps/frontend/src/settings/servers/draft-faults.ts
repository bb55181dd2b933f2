import { newMcpServerSchema } from '@oncall-agent/api-contracts'
import { isBlank, newServerOf, type SecretRow, type ServerDraft, type ValueRow } from './server-draft.ts'

/** What is wrong with a form, so that it is said before the server is asked. */
export type DraftFault =
  | 'name'
  | 'command'
  | 'url'
  | 'urlPassword'
  | 'valueName'
  | 'valueMissing'
  | 'twice'
  | 'timeout'
  | 'administrator'
  | 'other'

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
const NAME_LIMIT = 32
const VALUE_NAME = /^[A-Za-z_][\w-]{0,127}$/
const TIMEOUT_LIMIT = 600

export function faultsOf(draft: ServerDraft, isAdmin: boolean): readonly DraftFault[] {
  const faults: DraftFault[] = []
  const add = (isBad: boolean, fault: DraftFault): void => {
    if (isBad) faults.push(fault)
  }
  const isProgram = draft.transport === 'stdio'
  const values = (isProgram ? draft.env : draft.headers).filter((row) => !isBlank(row))
  const secrets = draft.secrets.filter((row) => !isBlank(row))
  const address = URL.canParse(draft.url.trim()) ? new URL(draft.url.trim()) : null
  add(isProgram && !isAdmin, 'administrator')
  add(!NAME.test(draft.name.trim()) || draft.name.trim().length > NAME_LIMIT, 'name')
  add(isProgram && draft.command.trim() === '', 'command')
  add(!isProgram && !/^https?:$/.test(address?.protocol ?? ''), 'url')
  add(!isProgram && address !== null && `${address.username}${address.password}` !== '', 'urlPassword')
  add(
    [...values, ...secrets].some(({ name }) => !VALUE_NAME.test(name.trim())),
    'valueName'
  )
  add(values.some(isUnanswered) || secrets.some(isUnwritten), 'valueMissing')
  add(hasTwice([...values, ...secrets], isProgram), 'twice')
  add(!(Number(draft.timeoutSeconds) >= 1 && Number(draft.timeoutSeconds) <= TIMEOUT_LIMIT), 'timeout')
  // The server's own rules have the last word; they know a few more, about lengths and characters.
  add(faults.length === 0 && !newMcpServerSchema.safeParse(newServerOf(draft)).success, 'other')
  return faults
}

/** A value that a ready-made entry asks for. */
const isUnanswered = ({ example, value }: ValueRow): boolean => example !== '' && value.trim() === ''
const isUnwritten = ({ plan, value }: SecretRow): boolean => plan === 'write' && value === ''

/** Headers are the same in any case, environment variables are not. */
function hasTwice(rows: readonly ValueRow[], isProgram: boolean): boolean {
  const names = rows.map(({ name }) => (isProgram ? name.trim() : name.trim().toLowerCase()))
  return new Set(names).size < names.length
}

/** Whether secrets would cross a network in the clear. */
export function isInTheClear({ transport, url, secrets }: ServerDraft): boolean {
  if (transport !== 'http' || !URL.canParse(url.trim())) return false
  const { protocol, hostname } = new URL(url.trim())
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return protocol === 'http:' && !isHere && secrets.some((row) => row.plan !== 'remove' && row.name !== '')
}
