import { AppError, errorCatalogue } from '@oncall-agent/api-contracts'
import { paint, printable, type Terminal } from './terminal.ts'

/** Exit codes of every command. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/**
 * Tells one error, as JSON on stdout for a program or as lines on stderr for a person.
 * An error that the catalogue does not know is told as INTERNAL; its cause goes to stderr, because on the
 * command line the person who reads it is the operator.
 */
export function reportError(terminal: Terminal, json: boolean, thrown: unknown): number {
  const error = asAppError(thrown)
  if (json) {
    const details = { ...error.details, ...(error.hint === '' ? {} : { hint: error.hint }) }
    const body = { code: error.code, message: error.message, ...(Object.keys(details).length > 0 ? { details } : {}) }
    terminal.out.write(`${JSON.stringify({ error: body }, null, 2)}\n`)
    return EXIT.failed
  }
  terminal.notes.write(`${paint(terminal, 'red', error.code)} ${printable(error.message)}\n`)
  if (error.hint !== '') terminal.notes.write(`  ${printable(error.hint)}\n`)
  for (const line of causeLines(error)) terminal.notes.write(`  ${paint(terminal, 'dim', printable(line))}\n`)
  return EXIT.failed
}

function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  return new AppError('INTERNAL', {
    operation: 'run command',
    message: errorCatalogue.INTERNAL.message.en,
    cause: thrown
  })
}

/** The chain of causes, outermost first; deep enough for "stage ← engine ← SQLite ← system". */
const MOST_CAUSES = 5

/** What a caller did wrong is told by the message; the chain below it is for faults. */
function causeLines(error: AppError): readonly string[] {
  if (errorCatalogue[error.code].category === 'caller') return []
  const lines: string[] = []
  let cause: unknown = error.cause
  while (cause instanceof Error && lines.length < MOST_CAUSES) {
    lines.push(`because: ${cause.message}`)
    cause = cause.cause
  }
  return lines
}
