import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'

export function addMcp(program: Command, line: CommandLine): void {
  program
    .command('mcp')
    .description('offer what is indexed here to an MCP client, over standard input and output')
    .action(() =>
      line.run(
        async (application, terminal) => {
          if (process.stdin.isTTY)
            terminal.notes.write('An MCP client starts this and speaks to it (stop with Ctrl+C).\n')
          await application.serveMcp({ input: process.stdin, output: terminal.out }, line.signal)
        },
        { logs: true }
      )
    )
}
