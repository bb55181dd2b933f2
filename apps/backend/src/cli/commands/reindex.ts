import type { Command } from 'commander'
import type { ReindexProgress, ReindexReport } from '../../knowledge/index.ts'
import type { CommandLine } from '../command-line.ts'
import { type ProgressState, progressLine } from '../progress-line.ts'
import { EXIT } from '../report-error.ts'
import { paint, printable, type Terminal } from '../terminal.ts'

/** Documents that a person is told about by name; `--json` has them all. */
const WARNINGS_SHOWN = 10

const phaseWords: Record<ReindexProgress['phase'], string> = {
  planning: 'looking for documents',
  rebuilding: 'indexing',
  checking: 'checking the new index',
  replacing: 'putting it in place',
  done: 'done'
}

export function addReindex(program: Command, line: CommandLine): void {
  program
    .command('reindex')
    .description('make the index anew with the configured embedding model; the old one serves until then')
    .option('--throttle <percent>', 'work only so much of the time, 1 to 100', line.wholeNumber(1, 100))
    .action((options: { readonly throttle?: number }) =>
      line.run(async (application, terminal, json) => {
        const progress = progressLine(terminal)
        const onProgress = (state: ReindexProgress): void => progress.show(progressState(state))
        const report = await application
          .reindex(options, { signal: line.signal, onProgress })
          .finally(() => progress.end())
        if (json) line.writeJson(report)
        else tell(terminal, report)
        return report.failed.length > 0 ? EXIT.failed : EXIT.ok
      })
    )
}

function progressState({
  phase,
  documentsDone,
  documentsTotal,
  chunksEmbedded,
  source
}: ReindexProgress): ProgressState {
  const doing = [phaseWords[phase], `${chunksEmbedded} chunks`, source ?? ''].filter(Boolean).join(' · ')
  return { done: documentsDone, total: documentsTotal, doing }
}

function tell(terminal: Terminal, report: ReindexReport): void {
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
  say('The new index is in place. A server that was started with another embedding model must be started again.')
}
