import type { Application } from './application.ts'
import type { Terminal } from './terminal.ts'

/** What a command is given to do its work with. */
export interface CommandLine {
  /** Aborted by Ctrl+C or a termination signal. */
  readonly signal: AbortSignal
  /** Opens the application, runs the command, closes; an error is told and becomes the exit code. */
  run(work: CommandWork, options?: { readonly logs?: boolean }): Promise<void>
  writeJson(value: unknown): void
  /** For options that may be repeated. */
  readonly repeat: (value: string, before: readonly string[]) => readonly string[]
  /** A parser of whole numbers between the two, both allowed; anything else is wrong usage. */
  readonly wholeNumber: (min: number, max?: number) => (value: string) => number
}

/** Gives the exit code, 0 when nothing. */
export type CommandWork = (application: Application, terminal: Terminal, json: boolean) => Promise<number | void>
