import { styleText } from 'node:util'
import stringWidth from 'string-width'

/** Where a command writes: answers on `out`, everything that only a person reads on `notes`. */
export interface Terminal {
  readonly out: NodeJS.WritableStream
  readonly notes: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  /** True when `out` is a terminal: colour and marks are for people only. */
  readonly colour: boolean
}

/**
 * The process's own streams. Whoever reads the answer may stop reading (`| head`): then there is nothing left to do and
 * nothing to complain of. An answer that can not be written for another reason (a full disk) is a failure.
 */
export function processTerminal(): Terminal {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`The answer could not be written: ${error.message}\n`)
    process.exit(1)
  })
  return { out: process.stdout, notes: process.stderr, colour: process.stdout.isTTY === true }
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

export function paint(terminal: Terminal, style: Style, text: string): string {
  return terminal.colour ? styleText(style, text, { validateStream: false }) : text
}

/** Pads to a number of terminal columns; a Chinese character takes two. */
export function padColumns(text: string, columns: number, side: 'left' | 'right' = 'right'): string {
  const missing = ' '.repeat(Math.max(0, columns - stringWidth(text)))
  return side === 'right' ? text + missing : missing + text
}

/** Cuts to a number of terminal columns, on a grapheme border, with a mark that something is missing. */
export function cutColumns(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text
  let cut = ''
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += stringWidth(segment)
    if (width > columns - 1) break
    cut += segment
  }
  return `${cut}…`
}

/** Control characters but line feed and tab, and the marks that turn the direction of text around. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/**
 * Text of somebody else (a file's name, a message that holds one) as it may go to a terminal: what would move the cursor,
 * change colours or titles, or turn text around is written out as `\\u001b`.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
