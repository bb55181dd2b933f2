import type { Command } from 'commander'
import type { DoctorRequest } from '../application.ts'
import { EXIT } from '../report-error.ts'
import type { CommandLine } from '../command-line.ts'
import { renderTable } from '../table.ts'
import { printable } from '../terminal.ts'

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
          for (const check of report.checks)
            if (!check.ok) terminal.notes.write(`${check.name}: ${printable(check.hint)}\n`)
        }
        return report.healthy ? EXIT.ok : EXIT.failed
      })
    )
}
