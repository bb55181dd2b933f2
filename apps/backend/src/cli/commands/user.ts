import { text } from 'node:stream/consumers'
import { AppError, newUserSchema, type User } from '@oncall-agent/api-contracts'
import { type Command, Option } from 'commander'
import type { UserRequest } from '../application.ts'
import type { CommandLine } from '../command-line.ts'
import { renderTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'

/**
 * Accounts, for who may write to the data folder. A password is read from standard input, never from an argument, which
 * every user of the machine can see in the list of processes.
 */
export function addUser(program: Command, line: CommandLine): void {
  const user = program.command('user').description('accounts: add, list, disable, enable, new password')
  const run = (request: () => Promise<UserRequest>) =>
    line.run(async (application, terminal, json) => {
      const users = await application.users(await request())
      if (json) line.writeJson(users)
      else tell(terminal, users)
    })
  const change = (person: string, given: Extract<UserRequest, { action: 'change' }>['change']) =>
    run(async () => ({ action: 'change', person, change: given }))

  user
    .command('list')
    .description('everybody who can, or could, sign in')
    .action(() => run(async () => ({ action: 'list' })))
  user
    .command('add')
    .description('add a person; the password is the first line of standard input')
    .argument('<username>')
    .addOption(new Option('--role <role>', 'the first account is always an administrator').choices(['admin', 'member']))
    .action((username: string, { role }: { readonly role?: 'admin' | 'member' }) =>
      run(async () => ({ action: 'add', ...checked({ username, password: await readPassword(), role }) }))
    )
  user
    .command('password')
    .description('set a new password, read from standard input; ends all sessions')
    .argument('<person>', 'user name or id')
    .action((person: string) =>
      run(async () => {
        const { password } = checked({ username: 'anybody', password: await readPassword() })
        return { action: 'change', person, change: { password } }
      })
    )
  user
    .command('disable')
    .description('let a person sign in no more; ends sessions and keys at once')
    .argument('<person>', 'user name or id')
    .action((person: string) => change(person, { disabled: true }))
  user
    .command('enable')
    .description('let a person sign in again')
    .argument('<person>', 'user name or id')
    .action((person: string) => change(person, { disabled: false }))
}

function checked(given: { username: string; password: string; role?: 'admin' | 'member' | undefined }) {
  const parsed = newUserSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new AppError('VALIDATION_FAILED', {
    operation: 'read account',
    subject: problems.join('; '),
    message: `The account is not valid. ${problems.join('; ')}.`
  })
}

async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password, then Enter and Ctrl+D (it is shown): ')
  const [first = ''] = (await text(process.stdin)).split(/\r?\n/)
  return first
}

function tell(terminal: Terminal, users: readonly User[]): void {
  const columns = ['user', 'role', 'state', 'id'].map((title) => ({ title, align: 'left' as const }))
  const rows = users.map(({ username, role, disabledAt, id }) => [
    username,
    role,
    disabledAt === null ? 'may sign in' : `disabled since ${new Date(disabledAt).toISOString().slice(0, 10)}`,
    id
  ])
  terminal.out.write(`${renderTable(columns, rows)}\n`)
}
