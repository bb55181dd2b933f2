import type { Command } from 'commander'
import { DEFAULT_KNOWLEDGE_BASE } from '../../auth/index.ts'
import type { IndexProgress, IndexReport } from '../../knowledge/index.ts'
import type { CommandLine } from '../command-line.ts'
import { progressLine } from '../progress-line.ts'
import { EXIT } from '../report-error.ts'
import { paint, printable, type Terminal } from '../terminal.ts'

/** Names of skipped files that a person is shown; `--json` has them all. */
const SKIPPED_SHOWN = 5

const phaseWords: Record<IndexProgress['phase'], string> = {
  scanning: 'looking for documents',
  indexing: 'indexing',
  removing: 'removing what has vanished',
  copying: 'bringing the search engine up to date',
  done: 'done'
}

export function addIndex(program: Command, line: CommandLine): void {
  program
    .command('index')
    .description('index folders or files of Markdown, text, PDF, HTML and Word; a second run does only what changed')
    .argument('<paths...>', 'folders or files')
    .option('--kb <name>', 'knowledge base to index into', DEFAULT_KNOWLEDGE_BASE)
    .action((paths: readonly string[], options: { readonly kb: string }) =>
      line.run(async (application, terminal, json) => {
        const progress = progressLine(terminal)
        const report = await application
          .indexFolder(
            { paths, knowledgeBase: options.kb },
            { signal: line.signal, onProgress: (state) => progress.show(progressState(state)) }
          )
          .finally(() => progress.end())
        if (json) line.writeJson(report)
        else tell(terminal, report)
        return report.failed.length > 0 ? EXIT.failed : EXIT.ok
      })
    )
}

function progressState(state: IndexProgress): Parameters<ReturnType<typeof progressLine>['show']>[0] {
  const doing = [phaseWords[state.phase], `${state.chunksEmbedded} chunks`, state.path ?? '']
    .filter(Boolean)
    .join(' · ')
  return { done: state.filesDone, total: state.filesTotal, doing }
}

/** Everything here is for a person, so it goes to the notes; stdout belongs to answers. */
function tell({ notes, ...terminal }: Terminal, report: IndexReport): void {
  const say = (text: string) => notes.write(`${text}\n`)
  for (const { path, message } of report.warnings)
    say(`${paint({ notes, ...terminal }, 'yellow', 'warning')} ${printable(about(path, message))}`)
  for (const { path, message } of report.skipped.slice(0, SKIPPED_SHOWN))
    say(printable(`skipped ${about(path, message)}`))
  if (report.skippedTotal > SKIPPED_SHOWN)
    say(`… and ${report.skippedTotal - SKIPPED_SHOWN} more files of types that are not supported`)
  for (const { path, code, message } of report.failed)
    say(`${paint({ notes, ...terminal }, 'red', code)} ${printable(about(path, message))}`)
  const counts = `${report.indexed} new, ${report.replaced} replaced, ${report.unchanged} unchanged, ${report.removed} removed`
  const failed = report.failed.length === 0 ? '' : `, ${report.failed.length} failed`
  say(`Indexed ${report.chunks} chunks in ${(report.tookMs / 1000).toFixed(1)} s: ${counts}${failed}.`)
  if (report.indexed > 0 && report.unchanged + report.replaced + report.failed.length === 0)
    say('Now ask: oncall retrieve "<question>"')
}

/** Most messages name the file themselves. */
function about(path: string, message: string): string {
  return message.startsWith(path) ? message : `${path}: ${message}`
}
