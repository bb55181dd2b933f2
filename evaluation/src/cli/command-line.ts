import type { Terminal } from '@oncall-agent/backend'
import type { Progress } from './progress.ts'

/** What a command works with. */
export interface CommandContext {
  readonly terminal: Terminal
  /** For people, on stderr. */
  readonly progress: Progress
  readonly json: boolean
  /** Folder that stays between runs. */
  readonly cacheDirectory: string
  /** Aborted by Ctrl+C or a termination signal. */
  readonly signal: AbortSignal
}

/** Does a command's work; the exit code, 0 when it says nothing. */
export type RunCommand = (work: (context: CommandContext) => Promise<number | void>) => Promise<void>

/** JSON on stdout, alone. */
export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.out.write(`${JSON.stringify(value, null, 2)}\n`)
}
