import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'
import { printable } from '../terminal.ts'

const BYTES_IN_MB = 1_000_000

export function addBackup(program: Command, line: CommandLine): void {
  program
    .command('backup')
    .description('write facts, index and uploads of one moment into one file, also while a server runs')
    .argument('<file>', 'a file that does not exist yet')
    .action((file: string) =>
      line.run(async (application, terminal, json) => {
        const report = await application.backUp(file, line.signal)
        if (json) line.writeJson(report)
        else {
          const size = (report.bytes / BYTES_IN_MB).toFixed(1)
          terminal.notes.write(`Wrote ${printable(report.file)}: ${report.files} files, ${size} MB.\n`)
        }
      })
    )
  program
    .command('restore')
    .description('make a data folder of a backup; never overwrites one')
    .argument('<file>', 'a file that oncall backup has written')
    .action((file: string) =>
      line.run(async (application, terminal, json) => {
        const report = await application.restore(file, line.signal)
        if (json) line.writeJson(report)
        else {
          const { createdAt, version, embedder } = report.manifest
          terminal.notes.write(`Restored ${report.files} files to ${printable(report.dataDirectory)}.\n`)
          terminal.notes.write(
            `Written ${createdAt} by version ${version}; its index was made with ${embedder.model}.\n`
          )
        }
      })
    )
}
