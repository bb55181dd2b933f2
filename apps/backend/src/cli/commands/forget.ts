import type { Command } from 'commander'
import { DEFAULT_KNOWLEDGE_BASE } from '../../auth/index.ts'
import type { CommandLine } from '../command-line.ts'
import { printable } from '../terminal.ts'

/** Names that a person is shown; `--json` has them all. */
const REMOVED_SHOWN = 10

export function addForget(program: Command, line: CommandLine): void {
  program
    .command('forget')
    .description('remove what was indexed from files or folders, also from ones that are gone; the files stay')
    .argument('<paths...>', 'folders or files, as they were when they were indexed')
    .option('--kb <name>', 'knowledge base to remove from', DEFAULT_KNOWLEDGE_BASE)
    .action((paths: readonly string[], options: { readonly kb: string }) =>
      line.run(async (application, terminal, json) => {
        const report = await application.forget({ paths, knowledgeBase: options.kb })
        if (json) {
          line.writeJson(report)
          return
        }
        for (const source of report.removed.slice(0, REMOVED_SHOWN))
          terminal.notes.write(`removed ${printable(source)}\n`)
        const more = report.removed.length - REMOVED_SHOWN
        if (more > 0) terminal.notes.write(`… and ${more} more\n`)
        terminal.notes.write(
          `Removed ${report.removed.length === 1 ? '1 document' : `${report.removed.length} documents`}.\n`
        )
      })
    )
}
