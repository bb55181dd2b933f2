import { AppError } from '@oncall-agent/api-contracts'
import { EXIT, processTerminal, reportError, translatePortError } from '@oncall-agent/backend'
import { Command, CommanderError } from 'commander'
import { join } from 'node:path'
import { defaultCacheDirectory, openCacheDirectory } from './cache/cache-directory.ts'
import { addBench } from './cli/bench-command.ts'
import type { RunCommand } from './cli/command-line.ts'
import { addEval } from './cli/eval-command.ts'
import { Progress } from './cli/progress.ts'

process.exitCode = await runCommandLine(process.argv)

/** `oncall eval` and `oncall bench`. Returns the exit code: 0 ok, 1 failed, 2 usage. */
async function runCommandLine(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal()
  const progress = new Progress(terminal.notes)
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new Error('interrupted'))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  let exit: number = EXIT.ok
  const program = new Command('oncall')
    .description('Measures the product: retrieval quality on judged sets, speed and size against named rivals.')
    .option('--data <dir>', 'data folder; caches then go to its folder evaluation-cache')
    .option('--cache <dir>', `folder for embeddings and synthetic corpora (default ${defaultCacheDirectory()})`)
    .option('--json', 'answer as JSON on stdout', false)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  const run: RunCommand = async (work) => {
    const { json, data, cache } = program.opts<{ json: boolean; data?: string; cache?: string }>()
    const wanted = cache ?? (data === undefined ? defaultCacheDirectory() : join(data, 'evaluation-cache'))
    try {
      const cacheDirectory = await openCacheDirectory(wanted)
      exit = (await work({ terminal, progress, json, cacheDirectory, signal: stop.signal })) ?? EXIT.ok
    } catch (thrown) {
      progress.end()
      if (stop.signal.aborted) {
        progress.note('Stopped. What was embedded before is kept; the same command goes on from there.')
        exit = EXIT.failed
      } else exit = reportError(terminal, json, translatePortError(thrown))
    } finally {
      progress.end()
    }
  }
  addEval(program, run)
  addBench(program, run)
  try {
    await program.parseAsync([...argv])
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    if (thrown.exitCode === 0) return EXIT.ok
    // Commander has told a person already; a program gets the same as JSON.
    const error = new AppError('VALIDATION_FAILED', { operation: 'read command line', message: thrown.message })
    if (argv.includes('--json')) reportError(terminal, true, error)
    return EXIT.usage
  }
  return exit
}
