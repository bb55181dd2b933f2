import { cutColumns, printable, type Terminal } from './terminal.ts'

export interface ProgressState {
  readonly done: number
  /** Unknown while the end is not known yet. */
  readonly total: number | undefined
  /** What is being done, shown behind the bar. */
  readonly doing: string
}

export interface ProgressLine {
  show(state: ProgressState): void
  /** Clears the bar, so that what follows starts on a clean line. */
  end(): void
}

/** A bar is redrawn at most so often; a log line is written at most so often, so that a log stays readable. */
const REDRAW_MS = 100
const LOG_LINE_MS = 10_000
const BAR_COLUMNS = 24
const FALLBACK_COLUMNS = 80

/** A bar that redraws itself on a terminal, a line now and then elsewhere. */
export function progressLine({ notes }: Terminal): ProgressLine {
  const isTerminal = notes.isTTY === true
  const pause = isTerminal ? REDRAW_MS : LOG_LINE_MS
  let last = performance.now() - (isTerminal ? pause : 0)
  let drawn = false
  return {
    show(state) {
      const now = performance.now()
      if (now - last < pause) return
      last = now
      if (!isTerminal) {
        notes.write(`${counted(state)} ${printable(state.doing)}\n`)
        return
      }
      const line = cutColumns(
        `${bar(state)} ${counted(state)} ${printable(state.doing)}`,
        (notes.columns ?? FALLBACK_COLUMNS) - 1
      )
      notes.write(`\r\u001B[2K${line}`)
      drawn = true
    },
    end() {
      if (drawn) notes.write('\r\u001B[2K')
    }
  }
}

function bar({ done, total }: ProgressState): string {
  const filled = total ? Math.round((Math.min(done, total) / total) * BAR_COLUMNS) : 0
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_COLUMNS - filled)}`
}

function counted({ done, total }: ProgressState): string {
  return total === undefined ? String(done) : `${done}/${total}`
}
