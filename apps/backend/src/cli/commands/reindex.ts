import { type Command, Option } from 'commander'
import type { FillProgress, FillReport, ReindexProgress } from '../../knowledge/index.ts'
import type { RebuildReport } from '../application.ts'
import type { CommandLine } from '../command-line.ts'
import { type ProgressState, progressLine } from '../progress-line.ts'
import { EXIT } from '../report-error.ts'
import { paint, printable, type Terminal } from '../terminal.ts'

/** Documents that a person is told about by name; `--json` has them all. */
const WARNINGS_SHOWN = 10

const phaseWords: Record<(ReindexProgress | FillProgress)['phase'], string> = {
  planning: 'looking for documents',
  rebuilding: 'indexing',
  checking: 'checking the new index',
  replacing: 'putting it in place',
  copying: 'filling the search engine',
  comparing: 'comparing it with the index',
  done: 'done'
}

export function addReindex(program: Command, line: CommandLine): void {
  program
    .command('reindex')
    .description('make the index anew with the configured embedding model; the old one serves until then')
    .option('--throttle <percent>', 'work only so much of the time, 1 to 100', line.wholeNumber(1, 100))
    .addOption(
      new Option(
        '--search-only',
        'leave the index as it is, and only fill the search engine from it (search.engine)'
      ).conflicts('throttle')
    )
    .action(({ searchOnly, ...options }: { readonly throttle?: number; readonly searchOnly?: boolean }) =>
      line.run(async (application, terminal, json) => {
        const progress = progressLine(terminal)
        const onProgress = (state: ReindexProgress | FillProgress): void => progress.show(progressState(state))
        const watch = { signal: line.signal, onProgress }
        if (searchOnly === true) {
          const filled = await application.fillSearchEngine(watch).finally(() => progress.end())
          if (json) line.writeJson(filled)
          else tellFilled(terminal, filled)
          return EXIT.ok
        }
        const report = await application.reindex(options, watch).finally(() => progress.end())
        if (json) line.writeJson(report)
        else tell(terminal, report)
        return report.failed.length > 0 ? EXIT.failed : EXIT.ok
      })
    )
}

function progressState(progress: ReindexProgress | FillProgress): ProgressState {
  const words = phaseWords[progress.phase]
  if ('documents' in progress) return { done: progress.documents, total: undefined, doing: words }
  const { documentsDone, documentsTotal, chunksEmbedded, source } = progress
  const doing = [words, `${chunksEmbedded} chunks`, source ?? ''].filter(Boolean).join(' · ')
  return { done: documentsDone, total: documentsTotal, doing }
}

function tellFilled({ notes }: Terminal, { engine, documents, mended, tookMs }: FillReport): void {
  const behind = mended === 0 ? '' : `, ${mended} of them once more because they changed meanwhile`
  notes.write(`Filled ${engine} with ${documents} documents in ${(tookMs / 1000).toFixed(1)} s${behind}.\n`)
}

function tell(terminal: Terminal, report: RebuildReport): void {
  const say = (text: string) => terminal.notes.write(`${text}\n`)
  for (const { path, message } of report.warnings.slice(0, WARNINGS_SHOWN))
    say(`${paint(terminal, 'yellow', 'warning')} ${printable(`${path}: ${message}`)}`)
  if (report.warnings.length > WARNINGS_SHOWN) say(`… and ${report.warnings.length - WARNINGS_SHOWN} more`)
  for (const { path, code, message } of report.failed)
    say(`${paint(terminal, 'red', code)} ${printable(`${path}: ${message}`)}`)
  const { documents, chunks, fromFiles, fromOldIndex, alreadyDone, leftOut, tookMs } = report
  const origins = `${fromFiles} from files, ${fromOldIndex} from the old index`
  const rest = [
    ...(alreadyDone > 0 ? [`${alreadyDone} done by an earlier run`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out that are deleted`] : [])
  ]
  say(
    `Indexed ${documents} documents, ${chunks} chunks in ${(tookMs / 1000).toFixed(1)} s: ${[origins, ...rest].join(', ')}.`
  )
  if (report.searchEngine !== undefined) tellFilled(terminal, report.searchEngine)
  say('The new index is in place. A server that was started with another embedding model must be started again.')
}
