import { AppError, invalidInput, newMessageSchema } from '@oncall-agent/api-contracts'
import { type Command, Option } from 'commander'
import type { Answer, TurnEvent } from '../../agent/index.ts'
import type { CommandLine } from '../command-line.ts'
import { renderSources } from '../render-sources.ts'
import { EXIT } from '../report-error.ts'
import { printable, type Terminal } from '../terminal.ts'

interface AskOptions {
  readonly kb: readonly string[]
  readonly language?: 'zh' | 'en'
}

export function addAsk(program: Command, line: CommandLine): void {
  program
    .command('ask')
    .description('answer a question with evidence; without a chat model the evidence is the answer')
    .argument('<question...>', 'as you would ask a colleague; Chinese or English')
    .option('--kb <name>', 'only this knowledge base (may be repeated)', line.repeat, [])
    .addOption(
      new Option('--language <language>', 'of fixed sentences; that of the question unless said otherwise').choices([
        'zh',
        'en'
      ])
    )
    .action((words: readonly string[], options: AskOptions) =>
      line.run(async (application, terminal, json) => {
        const question = checked(words.join(' '))
        const { kb: knowledgeBases, language = languageOf(question) } = options
        const onEvent = json ? () => undefined : tellOn(terminal)
        const answer = await application.ask({ question, knowledgeBases, language }, { signal: line.signal, onEvent })
        if (answer.status === 'failed') throw failed(answer)
        if (json) line.writeJson(asJson(answer))
        else terminal.out.write(`\n${renderSources(terminal, answer)}`)
        if (answer.status === 'completed') return EXIT.ok
        terminal.notes.write(`${printable(answer.failure?.message ?? 'The answer ended before its end.')}\n`)
        return EXIT.failed
      })
    )
}

/** @throws AppError VALIDATION_FAILED for what no conversation would take */
function checked(question: string): string {
  const { error } = newMessageSchema.safeParse({ content: question })
  if (error === undefined) return question
  throw invalidInput(error.issues.map(({ message }) => ({ field: 'question', problem: message })))
}

/** Text as it comes, on the answer's stream; what the agent does meanwhile, beside it. */
function tellOn({ out, notes }: Terminal): (event: TurnEvent) => void {
  return (event) => {
    if (event.type === 'delta') out.write(printable(event.text))
    if (event.type === 'tool.started') notes.write(`${printable(event.call.tool)} …\n`)
  }
}

function languageOf(question: string): 'zh' | 'en' {
  return /\p{Script=Han}/u.test(question) ? 'zh' : 'en'
}

/** Nothing was written: the command has failed as any other does. */
function failed({ failure }: Answer): AppError {
  const { code, message } = failure ?? { code: 'INTERNAL' as const, message: 'There is no answer.' }
  return new AppError(code, { operation: 'ask', message })
}

function asJson({ content, ...rest }: Answer) {
  return { answer: content, ...rest }
}
