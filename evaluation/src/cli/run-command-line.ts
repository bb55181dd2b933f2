import { join } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import { EXIT, reportError, type Terminal, translatePortError } from '@oncall-agent/backend'
import { Command, CommanderError } from 'commander'
import { defaultCacheDirectory, openCacheDirectory } from '../cache/cache-directory.ts'
import { addBench } from './bench-command.ts'
import type { CommandContext, RunCommand } from './command-line.ts'
import { addEval } from './eval-command.ts'
import { Progress } from './progress.ts'

/**
 * `oncall eval` and `oncall bench`. Returns the exit code: 0 ok, 1 failed, 2 usage.
 * @param argv as in `process.argv`
 */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new Error('interrupted'))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  let exit: number = EXIT.ok
  const program = describe(new Command('oncall'), terminal)
  const run: RunCommand = async (work) => {
    exit = await runOne(program.opts(), terminal, stop.signal, work)
  }
  addEval(program, run)
  addBench(program, run)
  try {
    await program.parseAsync([...argv])
    return exit
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    if (thrown.exitCode === 0) return EXIT.ok
    // Commander has told a person already; a program gets the same as JSON.
    const error = new AppError('VALIDATION_FAILED', { operation: 'read command line', message: thrown.message })
    if (argv.includes('--json')) reportError(terminal, true, error)
    return EXIT.usage
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/** Options of every command. */
interface GlobalOptions {
  readonly json?: boolean
  readonly data?: string
  readonly cache?: string
}

/** Output goes through the terminal that was given, so that stdout stays JSON alone. */
function describe(program: Command, terminal: Terminal): Command {
  return program
    .description('Measures the product: retrieval quality on judged sets, speed and size against named rivals.')
    .option('--data <dir>', 'data folder; caches then go to its folder evaluation-cache')
    .option('--cache <dir>', `folder for embeddings and synthetic corpora (default ${defaultCacheDirectory()})`)
    .option('--json', 'answer as JSON on stdout', false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.notes.write(text)
    })
    .exitOverride()
}

/** Runs a command’s work: an error is told once, here, and becomes the exit code. */
async function runOne(
  { json = false, data, cache }: GlobalOptions,
  terminal: Terminal,
  signal: AbortSignal,
  work: (context: CommandContext) => Promise<number | void>
): Promise<number> {
  const progress = new Progress(terminal.notes)
  const wanted = cache ?? (data === undefined ? defaultCacheDirectory() : join(data, 'evaluation-cache'))
  try {
    const cacheDirectory = await openCacheDirectory(wanted)
    return (await work({ terminal, progress, json, cacheDirectory, signal })) ?? EXIT.ok
  } catch (thrown) {
    progress.end()
    if (!signal.aborted) return reportError(terminal, json, translatePortError(thrown))
    progress.note('Stopped. What was embedded before is kept; the same command goes on from there.')
    return EXIT.failed
  } finally {
    progress.end()
  }
}
