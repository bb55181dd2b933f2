import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'

export function addWorker(program: Command, line: CommandLine): void {
  program
    .command('worker')
    .description('work on background jobs until stopped, beside a server or without one')
    .action(() =>
      line.run(
        async (application, terminal, json) => {
          await application.work(line.signal, () => {
            if (json) line.writeJson({ working: true })
            else terminal.notes.write('Working on jobs (stop with Ctrl+C).\n')
          })
        },
        { logs: true }
      )
    )
}
