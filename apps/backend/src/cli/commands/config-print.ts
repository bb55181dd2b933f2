import type { Command } from 'commander'
import { stringify } from 'yaml'
import type { CommandLine } from '../command-line.ts'

export function addConfig(program: Command, line: CommandLine): void {
  program
    .command('config')
    .description('the effective configuration')
    .command('print')
    .description('print the effective values; secrets are hidden')
    .action(() =>
      line.run(async (application, terminal, json) => {
        const settings = application.describeSettings()
        if (json) line.writeJson(settings)
        else terminal.out.write(stringify(settings))
      })
    )
}
