import type { Command } from 'commander'
import { renderExplanation } from '../explain.ts'
import { type Metadata, metadataOption } from '../metadata-option.ts'
import type { CommandLine } from '../command-line.ts'
import { renderAnswer } from '../render-answer.ts'

const NOT_RECORDED = 'This run could not be recorded (is the disk full?), so it can not be explained later.\n'

interface RetrieveOptions {
  readonly kb: readonly string[]
  readonly topK?: number
  readonly document: readonly string[]
  readonly meta: Metadata
  readonly explain: boolean
  readonly full: boolean
}

export function addRetrieve(program: Command, line: CommandLine): void {
  program
    .command('retrieve')
    .description('find evidence: at most five cited pieces, or a typed error')
    .argument('<query...>', 'a question, an alert, an error code; Chinese or English')
    .option('--kb <name>', 'only this knowledge base (may be repeated)', line.repeat, [])
    .option('--top-k <n>', 'how many pieces, 1 to 5; more is 5', line.wholeNumber(1))
    .option('--document <id>', 'only this document (may be repeated)', line.repeat, [])
    .option(
      '--meta <key=value>',
      'exact metadata; number and true/false keep their type (may be repeated)',
      metadataOption,
      {}
    )
    .option('--explain', 'show both branches, fusion, rerank and timings', false)
    .option('--full', 'show every piece whole, however long', false)
    .action((words: readonly string[], options: RetrieveOptions) =>
      line.run(async (application, terminal, json) => {
        const answer = await application.retrieve(
          {
            query: words.join(' '),
            ...(options.topK === undefined ? {} : { topK: options.topK }),
            knowledgeBases: options.kb,
            documentIds: options.document,
            metadata: options.meta
          },
          line.signal
        )
        if (json) {
          line.writeJson(answer)
          return
        }
        terminal.out.write(`${renderAnswer(terminal, answer, options)}\n`)
        if (answer.runId === null) terminal.notes.write(NOT_RECORDED)
        if (!options.explain) return
        const record = answer.runId === null ? undefined : await application.run(answer.runId)
        terminal.out.write(`\n${renderExplanation(terminal, answer, record)}\n`)
      })
    )
}
