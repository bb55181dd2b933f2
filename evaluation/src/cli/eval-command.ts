import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { qualityMarkdown } from '../quality/report/quality-markdown.ts'
import { targetSets } from '../quality/report/targets.ts'
import { evaluateSet } from '../quality/run/evaluate-set.ts'
import { openProduct, type Product } from '../quality/run/product.ts'
import type { SetResult } from '../quality/run/set-result.ts'
import { type Chunking, chunkings, type StageName, stageNames } from '../quality/run/stage-name.ts'
import type { EvaluationSet } from '../quality/sets/evaluation-set.ts'
import { loadSet, type QuerySelection } from '../quality/sets/load-set.ts'
import { type CommandContext, type RunCommand, writeJson } from './command-line.ts'
import { replaceReport } from './replace-report.ts'
import { renderSetResult } from './render-set-result.ts'

/** Options as commander gives them; `checkUsage` has excluded the combinations that mean nothing. */
interface EvalOptions {
  readonly half?: string
  readonly queries?: string
  readonly qrels?: string
  readonly chunking?: Chunking
  readonly stages: readonly StageName[]
  readonly allSets?: string
  readonly only?: readonly string[]
  readonly goals: boolean
  readonly markdown?: string
}

/** The half that may be looked at while working; a held half is for somebody else. */
const defaultHalf = 'dev'

/** `oncall eval`: one set, or all sets of a folder with a report. */
export function addEval(program: Command, run: RunCommand): void {
  program
    .command('eval')
    .description('retrieval quality over a judged set, stage by stage')
    .argument('[set-dir]', 'folder with corpus.jsonl and a folder for each half')
    .option('--half <name>', `half of the set (default ${defaultHalf})`)
    .option('--queries <file>', 'queries instead of those of a half; with --qrels')
    .option('--qrels <file>', 'their judgements')
    .addOption(new Option('--chunking <how>', 'as uploads are cut, or one chunk a document').choices([...chunkings]))
    .option('--stages <list>', 'stages to measure; with lexical alone no model is loaded', stageList, stageNames)
    .option('--all-sets <dir>', 'every set in a folder, in both chunkings unless --chunking says one')
    .option('--only <names>', 'of --all-sets only these, divided by commas', nameList)
    .option('--goals', 'of --all-sets only those that have a goal', false)
    .option('--markdown <file>', 'write the report of --all-sets there')
    .action(async (directory: string | undefined, options: EvalOptions, command: Command) => {
      checkUsage(command, directory, options)
      await run((context) =>
        options.allSets === undefined
          ? evaluateOne(context, directory!, options)
          : evaluateAll(context, options.allSets, options)
      )
    })
}

/** One set: its figures as JSON or as a table, on stdout. */
async function evaluateOne(context: CommandContext, directory: string, options: EvalOptions): Promise<void> {
  const set = await loadSet(directory, selectionOf(options))
  tellLeftOut(context, set)
  const result = await withProduct(context, (product) => measure(context, product, set, options))
  if (context.json) writeJson(context.terminal, result)
  else context.terminal.out.write(renderSetResult(result))
}

/**
 * Many sets: each is told on stderr as soon as it is measured, because the first run may take an hour.
 * The JSON and the report come at the end.
 */
async function evaluateAll(context: CommandContext, folder: string, options: EvalOptions): Promise<void> {
  const names = await setsIn(folder, options.goals ? targetSets : options.only)
  const results: SetResult[] = []
  await withProduct(context, async (product) => {
    for (const [position, name] of names.entries()) {
      const set = await loadSet(join(folder, name), selectionOf(options))
      tellLeftOut(context, set)
      for (const chunking of options.chunking === undefined ? chunkings : [options.chunking]) {
        const result = await measure(context, product, set, { ...options, chunking })
        results.push(result)
        context.progress.note(`[${position + 1} of ${names.length}]\n${renderSetResult(result).trimEnd()}`)
      }
    }
  })
  if (options.markdown !== undefined) await writeReport(options.markdown, options, results)
  if (context.json) writeJson(context.terminal, { results })
}

/** `product` unless told otherwise: what uploads go through is what people meet. */
async function measure(
  context: CommandContext,
  product: Product,
  set: EvaluationSet,
  { chunking = 'product', stages }: EvalOptions
): Promise<SetResult> {
  const onStep = (text: string): void => context.progress.step(text)
  return evaluateSet(set, { chunking, stages }, product, { signal: context.signal, onStep })
}

/** Opens the product for a command and closes it whatever happens, so that no model thread keeps the process alive. */
async function withProduct<T>(context: CommandContext, work: (product: Product) => Promise<T>): Promise<T> {
  const product = openProduct(context.cacheDirectory)
  try {
    return await work(product)
  } finally {
    await product.close()
  }
}

/** Names of the sets in a folder. @throws AppError PATH_UNREADABLE, NOT_FOUND for a wanted set that is not there */
async function setsIn(folder: string, only: readonly string[] | undefined): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new AppError('PATH_UNREADABLE', {
      operation: 'list evaluation sets',
      subject: folder,
      message: `${folder} could not be read.`,
      details: { path: folder },
      cause
    })
  })
  const there = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const missing = only?.filter((name) => !there.includes(name)) ?? []
  if (missing.length > 0) {
    throw new AppError('NOT_FOUND', {
      operation: 'list evaluation sets',
      subject: folder,
      message: `${folder} has no set named ${missing.join(', ')}.`,
      details: { path: folder, missing }
    })
  }
  const ordered = there.toSorted((a, b) => place(a) - place(b) || a.localeCompare(b, 'en'))
  return only === undefined ? ordered : ordered.filter((name) => only.includes(name))
}

/** Sets with a goal come first, in the order of the goals. */
function place(set: string): number {
  return targetSets.includes(set) ? targetSets.indexOf(set) : targetSets.length
}

/** The command in the report leaves the folder out: it is a path of whoever ran it. */
async function writeReport(file: string, options: EvalOptions, results: readonly SetResult[]): Promise<void> {
  const chosen = [
    options.only === undefined ? '' : ` --only ${options.only.join(',')}`,
    options.goals ? ' --goals' : '',
    options.chunking === undefined ? '' : ` --chunking ${options.chunking}`
  ].join('')
  const command = `oncall eval --all-sets <folder of sets> --half ${options.half ?? defaultHalf}${chosen} --markdown ${file}`
  const date = new Date().toISOString().slice(0, 10)
  await replaceReport(file, (previous) => qualityMarkdown({ date, command, results }, previous))
}

/** Files win over the half: `checkUsage` refuses both. */
function selectionOf({ half = defaultHalf, queries, qrels }: EvalOptions): QuerySelection {
  return queries !== undefined && qrels !== undefined ? { queries, qrels } : { half }
}

/** What is left out is said, never dropped silently: figures over fewer queries are other figures. */
function tellLeftOut({ progress }: CommandContext, { name, leftOut }: EvaluationSet): void {
  const { queriesWithoutJudgement: unjudged, judgedQueriesNotAsked: unasked } = leftOut
  if (unjudged > 0) progress.note(`${name}: ${unjudged} queries have no judgement and are left out`)
  if (unasked > 0) progress.note(`${name}: judgements of ${unasked} queries that are not asked are left out`)
}

/** Combinations that commander cannot know to be wrong end as usage errors, exit code 2. */
function checkUsage(command: Command, directory: string | undefined, options: EvalOptions): void {
  const { half, queries, qrels, allSets, only, goals, markdown } = options
  const wrong =
    (directory === undefined) === (allSets === undefined)
      ? 'name one set folder, or --all-sets and a folder of sets'
      : (queries === undefined) !== (qrels === undefined)
        ? '--queries and --qrels belong together'
        : queries !== undefined && half !== undefined
          ? '--half and --queries exclude each other'
          : allSets !== undefined && queries !== undefined
            ? '--queries and --qrels are of one set, not of --all-sets'
            : allSets === undefined && (only !== undefined || goals || markdown !== undefined)
              ? '--only, --goals and --markdown need --all-sets'
              : goals && only !== undefined
                ? '--only and --goals exclude each other'
                : undefined
  if (wrong !== undefined) command.error(`error: ${wrong}`, { exitCode: 2 })
}

/** Stages in the order of the pipeline, whatever order they were named in. */
function stageList(value: string): readonly StageName[] {
  const names = nameList(value)
  const unknown = names.filter((name) => !stageNames.includes(name as StageName))
  if (names.length === 0 || unknown.length > 0) {
    throw new InvalidArgumentError(`Stages are ${stageNames.join(', ')}.`)
  }
  return stageNames.filter((stage) => names.includes(stage))
}

function nameList(value: string): readonly string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
