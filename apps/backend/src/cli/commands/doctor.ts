import type { Command } from 'commander'
import type { DoctorReport, DoctorRequest } from '../application.ts'
import { EXIT } from '../report-error.ts'
import type { CommandLine } from '../command-line.ts'
import { renderTable } from '../table.ts'
import { printable, type Terminal } from '../terminal.ts'

/** Differences that a person is shown; `--json` has them all. */
const DIFFERENCES_SHOWN = 20

export function addDoctor(program: Command, line: CommandLine): void {
  program
    .command('doctor')
    .description('check the data folder, the index, that both agree, and the models')
    .option('--models', 'also load the models and try them', false)
    .option('--repair', 'bring the index to what the facts say', false)
    .action((options: DoctorRequest) =>
      line.run(async (application, terminal, json) => {
        const report = await application.doctor(options)
        if (json) line.writeJson(report)
        else {
          const rows = report.checks.map((check) => [check.ok ? 'ok' : 'FAULT', check.name, check.found])
          const columns = ['', 'part', 'found'].map((title) => ({ title, align: 'left' as const }))
          terminal.out.write(`${renderTable(columns, rows)}\n`)
          tellDifferences(terminal, report)
          for (const { name, hint } of report.checks)
            if (hint !== '') terminal.notes.write(`${name}: ${printable(hint)}\n`)
        }
        return report.healthy ? EXIT.ok : EXIT.failed
      })
    )
}

/** A list of its own: in a cell of the table nobody could read them. */
function tellDifferences({ out }: Terminal, { differences }: DoctorReport): void {
  if (differences.length === 0) return
  out.write('\n')
  for (const { fileName, documentId, found } of differences.slice(0, DIFFERENCES_SHOWN))
    out.write(`  ${printable(fileName)} (${printable(documentId)}): ${printable(found)}\n`)
  const more = differences.length - DIFFERENCES_SHOWN
  if (more > 0) out.write(`  … and ${more} more (all of them with --json)\n`)
}
