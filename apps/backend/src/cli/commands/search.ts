import { type Command, Option } from 'commander'
import type { CommandLine } from '../command-line.ts'
import { renderSearch } from '../render-search.ts'

const NOT_RECORDED =
  'This search could not be recorded (is the disk full?), so its documents can not be judged later.\n'

interface SearchOptions {
  readonly kb: readonly string[]
  readonly project?: string
  readonly equipment?: string
  readonly errorCode: readonly string[]
  readonly type?: string
  readonly text?: string
  readonly mode?: string
  readonly size?: number
  readonly from?: number
  readonly language: 'zh' | 'en'
}

export function addSearch(program: Command, line: CommandLine): void {
  program
    .command('search')
    .description('find documents by exact fields and keywords, and say how strictly they match')
    .argument('[keywords...]', 'each is looked for by itself; quotes make several words one')
    .option('--project <name>', 'only of this project')
    .option('--equipment <name>', 'only of this equipment')
    .option('--error-code <code>', 'only with this error code (may be repeated: with any of them)', line.repeat, [])
    .option('--type <type>', 'only of this type of knowledge (search.knowledgeTypes)')
    .option('--text <sentence>', 'what is meant, as a sentence; it orders, and alone can still find by meaning')
    .addOption(
      new Option('--mode <mode>', 'run this stage alone; auto goes on until something is found').choices([
        'auto',
        'strict',
        'loose',
        'vector_only'
      ])
    )
    .option('--size <n>', 'documents, 1 to 100; 10 unless said otherwise', line.wholeNumber(1, 100))
    .option('--from <n>', 'leave out so many of the best', line.wholeNumber(0))
    .option('--kb <name>', 'only this knowledge base (may be repeated)', line.repeat, [])
    .addOption(
      new Option('--language <language>', 'of the sentence that tells how well it matches')
        .choices(['zh', 'en'])
        .default('zh')
    )
    .action((keywords: readonly string[], options: SearchOptions) =>
      line.run(async (application, terminal, json) => {
        const { kb: knowledgeBases, language } = options
        const request = requestOf(keywords, options)
        const answer = await application.search({ knowledgeBases, language, request }, line.signal)
        if (json) {
          line.writeJson(answer)
          return
        }
        terminal.out.write(`${renderSearch(terminal, answer, { from: options.from ?? 0 })}\n`)
        if (answer.search_id === null) terminal.notes.write(NOT_RECORDED)
      })
    )
}

/** What was given, by the names of the contract. */
function requestOf(keywords: readonly string[], options: SearchOptions) {
  const { project, equipment, errorCode, type, text, mode, size, from } = options
  const given = {
    project,
    equipment,
    knowledge_type: type,
    query_text: text,
    mode,
    size,
    from_: from,
    ...(errorCode.length === 0 ? {} : { error_codes: errorCode }),
    ...(keywords.length === 0 ? {} : { keywords })
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
