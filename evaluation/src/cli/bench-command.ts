import { cpus, totalmem } from 'node:os'
import { type Column, EXIT, renderTable } from '@oncall-agent/backend'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import type { Benchmark } from '../speed/bench-context.ts'
import { benchChat } from '../speed/benchmarks/chat.ts'
import { benchIngest } from '../speed/benchmarks/ingest.ts'
import { benchLexical } from '../speed/benchmarks/lexical.ts'
import { benchRetrieve } from '../speed/benchmarks/retrieve.ts'
import { benchSearch } from '../speed/benchmarks/search.ts'
import { benchStart } from '../speed/benchmarks/start.ts'
import { benchVector } from '../speed/benchmarks/vector.ts'
import type { BenchResult } from '../speed/results/bench-result.ts'
import { speedMarkdown } from '../speed/results/speed-markdown.ts'
import { installTantivy } from '../speed/rivals/tantivy-rival.ts'
import { replaceReport } from './replace-report.ts'
import { type RunCommand, writeJson } from './command-line.ts'

const benchmarks = {
  vector: benchVector,
  lexical: benchLexical,
  retrieve: benchRetrieve,
  search: benchSearch,
  ingest: benchIngest,
  start: benchStart,
  chat: benchChat
} as const satisfies Record<string, Benchmark>

type BenchName = keyof typeof benchmarks
const names = Object.keys(benchmarks) as BenchName[]

/** What the budgets speak of. */
const defaultChunks = 100_000
/** Scopes of a tenth and a hundredth of a tenth of it still hold a document. */
const fewestChunks = 1000

/** Of the table for people; JSON has the same fields by name. */
const columns: readonly Column[] = [
  { title: 'name', align: 'left' },
  { title: 'value', align: 'right' },
  { title: 'unit', align: 'left' },
  { title: 'budget', align: 'left' },
  { title: '', align: 'left' },
  { title: 'note', align: 'left' }
]

/** Options as commander gives them. */
interface BenchOptions {
  readonly chunks: number
  readonly withTantivy: boolean
  readonly check: boolean
  readonly markdown?: string
}

/** `oncall bench`: each benchmark gives its lines, and a missed budget is a line too, not an error, unless `--check`. */
export function addBench(program: Command, run: RunCommand): void {
  program
    .command('bench')
    .description('speed and size against named rivals and limits')
    .addArgument(new Argument('<what>', 'what to measure').choices([...names, 'all']))
    .option('--chunks <n>', 'chunks of the synthetic corpus, kept in the cache folder', chunkCount, defaultChunks)
    .option('--with-tantivy', 'install the tantivy rival into the cache folder first', false)
    .option('--check', 'exit 1 when a budget is missed', false)
    .option('--markdown <file>', 'write the report there')
    .action(async (what: BenchName | 'all', options: BenchOptions) => {
      await run(async ({ cacheDirectory, progress, signal, terminal, json }) => {
        if (options.withTantivy) await installTantivy(cacheDirectory)
        const results: BenchResult[] = []
        for (const name of what === 'all' ? names : [what]) {
          progress.step(name)
          results.push(...(await benchmarks[name]({ chunks: options.chunks, cacheDirectory, progress, signal })))
        }
        progress.end()
        const machine = describeMachine()
        if (options.markdown !== undefined) {
          await replaceReport(options.markdown, (previous) =>
            speedMarkdown({ chunks: options.chunks, what, machine, results }, previous)
          )
        }
        if (json) writeJson(terminal, { machine, chunks: options.chunks, results })
        else terminal.out.write(`${renderResults(results)}\n`)
        return options.check && results.some((result) => result.ok === false) ? EXIT.failed : EXIT.ok
      })
    })
}

/** What the absolute figures depend on; nothing that names one machine. */
function describeMachine(): string {
  const processors = cpus()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const model = processors[0]?.model.trim() ?? 'unknown processor'
  return `${processors.length} x ${model}, ${gibibytes} GiB, ${process.platform} ${process.arch}, Node ${process.version}`
}

/** The table for a person; MISSED stands out because nothing else is in capitals. */
function renderResults(results: readonly BenchResult[]): string {
  const rows = results.map((result) => [
    result.name,
    result.value === null ? '-' : String(result.value),
    result.unit,
    result.budget ?? '',
    result.ok === null ? '' : result.ok ? 'met' : 'MISSED',
    result.note
  ])
  return renderTable(columns, rows)
}

/** Smaller corpora have no scope of a hundredth in their tenth. */
function chunkCount(value: string): number {
  const chunks = Number(value)
  if (!Number.isInteger(chunks) || chunks < fewestChunks) {
    throw new InvalidArgumentError(`A whole number from ${fewestChunks}.`)
  }
  return chunks
}
