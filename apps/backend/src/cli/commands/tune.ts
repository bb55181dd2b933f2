import type { TunePoint } from '@oncall-agent/retrieval'
import type { Command } from 'commander'
import type { TuneCommandReport, TuneRequest } from '../application.ts'
import type { CommandLine } from '../command-line.ts'
import { progressLine } from '../progress-line.ts'
import { EXIT } from '../report-error.ts'
import { renderTable } from '../table.ts'
import { paint, printable, type Terminal } from '../terminal.ts'

export function addTune(program: Command, line: CommandLine): void {
  program
    .command('tune')
    .description('replay judged searches over other settings of structured search, and suggest better ones')
    .option('--apply', 'write what is better into the settings.yaml of the data folder', false)
    .action((options: TuneRequest) =>
      line.run(async (application, terminal, json) => {
        const progress = progressLine(terminal)
        const onProgress = ({ done, total }: { done: number; total: number }): void =>
          progress.show({ done, total, doing: 'replaying judged searches' })
        const report = await application
          .tune(options, { signal: line.signal, onProgress })
          .finally(() => progress.end())
        if (json) line.writeJson(report)
        else tell(terminal, report, options)
        // Asked to write and not able to tell what: the caller has to know.
        return options.apply && report.verdict === 'too_few' ? EXIT.failed : EXIT.ok
      })
    )
}

function tell(terminal: Terminal, report: TuneCommandReport, { apply }: TuneRequest): void {
  const { judged, leftOut, searches } = report
  const say = (text: string) => terminal.out.write(`${text}\n`)
  say(`Judged searches: ${judged}, of which ${searches.tuned + searches.heldOut} can be replayed.`)
  if (leftOut.nothing_helped > 0) say(`  ${leftOut.nothing_helped} say only what did not help`)
  if (leftOut.not_found_now > 0) say(`  ${leftOut.not_found_now} do not find by words what helped any more`)
  if (searches.tuned + searches.heldOut > 0) {
    say(`Chosen on ${searches.tuned} of them, measured on the other ${searches.heldOut}:\n`)
    say(comparison(report))
  }
  say(`\n${paint(terminal, 'bold', verdictWords(report))}`)
  for (const sentence of applyWords(report, apply)) say(printable(sentence))
}

function comparison({ current, suggested, heldOut: { before, after } }: TuneCommandReport): string {
  const columns = [
    { title: '', align: 'left' },
    ...['titleBoost', 'vectorWeight', 'rrfWindow', 'nDCG@10', 'MRR'].map((title) => ({
      title,
      align: 'right' as const
    }))
  ] as const
  const row = (name: string, point: TunePoint, scores: typeof before) => [
    name,
    String(point.titleBoost),
    String(point.vectorWeight),
    String(point.rrfWindow),
    scores.ndcg10.toFixed(4),
    scores.mrr.toFixed(4)
  ]
  return renderTable(columns, [row('now', current, before), row('suggested', suggested, after)])
}

/** "0.0312 ± 0.0087" */
function gainWords({ mean, standardError }: TuneCommandReport['gain']): string {
  return `${mean.toFixed(4)} ± ${standardError.toFixed(4)} nDCG@10`
}

function verdictWords({ verdict, leastInHalf, gain }: TuneCommandReport): string {
  switch (verdict) {
    case 'too_few':
      return `Too few to mean anything: each half needs ${leastInHalf} at least. Judge more searches, on the page or with POST /api/v1/search/feedback.`
    case 'as_good_as_any':
      return 'No other settings are better.'
    case 'by_chance':
      return `What looks better on one half is not surely better on the other (by ${gainWords(gain)}): it may be chance. Keep the settings.`
    case 'better':
      return `The suggested settings are better on searches that they were not chosen on, by ${gainWords(gain)}.`
  }
}

function applyWords({ verdict, applied }: TuneCommandReport, apply: boolean): readonly string[] {
  if (applied !== null) {
    const hidden = applied.overriddenBy.map((name) => `${name} is set in the environment, and wins over it.`)
    return [`Written to ${applied.file}. A running server must be started again.`, ...hidden]
  }
  if (apply) return ['Nothing was written.']
  return verdict === 'better' ? ['oncall tune --apply writes them.'] : []
}
