import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'

export function addServe(program: Command, line: CommandLine): void {
  program
    .command('serve')
    .description('serve the page, the API and the background jobs until stopped')
    .action(() =>
      line.run(
        async (application, terminal, json) => {
          await application.serve(line.signal, (address) => {
            if (json) line.writeJson({ address })
            else
              terminal.notes.write(
                `Serving on ${address} (stop with Ctrl+C). Open it in a browser, or try: curl -s ${address}/health\n`
              )
          })
        },
        { logs: true }
      )
    )
}
