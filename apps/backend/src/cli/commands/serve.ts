import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'

export function addServe(program: Command, line: CommandLine): void {
  program
    .command('serve')
    .description('serve the API on loopback until stopped')
    .action(() =>
      line.run(
        async (application, terminal, json) => {
          await application.serve(line.signal, (address) => {
            if (json) line.writeJson({ address })
            else terminal.notes.write(`Serving on ${address} (stop with Ctrl+C). Try: curl -s ${address}/health\n`)
          })
        },
        { logs: true }
      )
    )
}
