import { AppError } from '@oncall-agent/api-contracts'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import type { Application } from './application.ts'
import type { CommandLine, CommandWork } from './command-line.ts'
import { addAsk } from './commands/ask.ts'
import { addBackup } from './commands/backup.ts'
import { addConfig } from './commands/config-print.ts'
import { addDoctor } from './commands/doctor.ts'
import { addForget } from './commands/forget.ts'
import { addIndex } from './commands/index-paths.ts'
import { addMcp } from './commands/mcp.ts'
import { addReindex } from './commands/reindex.ts'
import { addRetrieve } from './commands/retrieve.ts'
import { addSearch } from './commands/search.ts'
import { addServe } from './commands/serve.ts'
import { addTune } from './commands/tune.ts'
import { addUser } from './commands/user.ts'
import { addWorker } from './commands/worker.ts'
import { EXIT, reportError } from './report-error.ts'
import { processTerminal, type Terminal } from './terminal.ts'

export interface OpenOptions {
  readonly dataDirectory?: string
  /** Write a log line an event: for a server, whose errors nobody reads as they happen. */
  readonly logs?: boolean
}

/** Makes the application for one command; nothing heavy is loaded before its first use. */
export type OpenApplication = (options: OpenOptions) => Promise<Application>

/**
 * Runs one command line and returns its exit code: 0 ok, 1 failed, 2 usage.
 * @param argv as in `process.argv`
 */
export async function runCommandLine(argv: readonly string[], open: OpenApplication, version: string): Promise<number> {
  const terminal = processTerminal()
  const stop = new AbortController()
  const onSignal = () => stop.abort(new Error('interrupted'))
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  let exit: number = EXIT.ok
  const program = new Command()
  const line: CommandLine = {
    signal: stop.signal,
    repeat: (value, before) => [...before, value],
    wholeNumber,
    writeJson: (value) => terminal.out.write(`${JSON.stringify(value, null, 2)}\n`),
    run: async (work, { logs = false } = {}) => {
      const { json, data } = program.opts<{ json: boolean; data?: string }>()
      exit = await runOne({ open, terminal, json, data, logs, work, signal: stop.signal })
    }
  }
  describe(program, version)
  for (const add of commands) add(program, line)
  try {
    await program.parseAsync([...argv])
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    return thrown.exitCode === 0 ? EXIT.ok : usage(terminal, argv, thrown)
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
  return exit
}

interface OneRun {
  readonly open: OpenApplication
  readonly terminal: Terminal
  readonly json: boolean
  readonly data: string | undefined
  readonly logs?: boolean
  readonly signal: AbortSignal
  readonly work: CommandWork
}

async function runOne({ open, terminal, json, data, logs, signal, work }: OneRun): Promise<number> {
  let application: Application | undefined
  try {
    application = await open({ logs, ...(data === undefined ? {} : { dataDirectory: data }) })
    return (await work(application, terminal, json)) ?? EXIT.ok
  } catch (thrown) {
    return reportError(terminal, json, signal.aborted ? cancelled() : thrown)
  } finally {
    await application?.close().catch((thrown: unknown) => void reportError(terminal, false, thrown))
  }
}

function cancelled(): AppError {
  return new AppError('CANCELLED', {
    operation: 'run command',
    hint: 'What was finished before is kept; run it again.'
  })
}

const DESCRIPTION = 'The on-call workbench: finds the right runbook paragraph and says exactly why it was found.'

const commands = [
  addIndex,
  addForget,
  addRetrieve,
  addAsk,
  addSearch,
  addTune,
  addServe,
  addWorker,
  addMcp,
  addUser,
  addDoctor,
  addReindex,
  addBackup,
  addConfig
]

/** Commands that bin/oncall hands to the evaluation; listed so that one help page names all. */
const EVALUATION_COMMANDS = `
Measuring:
  eval <set-dir>       retrieval quality over a judged set, stage by stage
  bench <what>         speed and size against named rivals and limits

Exit codes: 0 ok, 1 failed, 2 usage. JSON goes to stdout alone, everything else to stderr.`

function describe(program: Command, version: string): void {
  program
    .name('oncall')
    .description(DESCRIPTION)
    .version(version)
    .option('--data <dir>', 'data folder (else KB_DATA__DIR, else ./data)')
    .option('--json', 'answer as JSON on stdout', false)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', EVALUATION_COMMANDS)
    .exitOverride()
}

function usage(terminal: Terminal, argv: readonly string[], thrown: CommanderError): number {
  // Commander has told a person already; a program gets the same as JSON.
  if (argv.includes('--json')) {
    reportError(
      terminal,
      true,
      new AppError('VALIDATION_FAILED', { operation: 'read command line', message: usageMessage(thrown) })
    )
  }
  return EXIT.usage
}

/** Commander's own words for a missing command are a code in brackets. */
function usageMessage(thrown: CommanderError): string {
  return thrown.code === 'commander.help' ? 'Name a command; `oncall --help` lists them.' : thrown.message
}

function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (value: string) => number {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  return (value) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a whole number ${range}.`)
  }
}
