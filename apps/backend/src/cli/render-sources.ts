import type { Answer } from '../agent/index.ts'
import { paint, printable, type Terminal } from './terminal.ts'

/** What the markers of an answer stand for; all that was found where it refers to none. */
export function renderSources(terminal: Terminal, { sources }: Pick<Answer, 'sources'>): string {
  const cited = sources.filter((source) => source.cited)
  const shown = cited.length > 0 ? cited : sources
  const lines = shown.flatMap(({ marker, title, headingPath, documentId, start, end, score }) => [
    `[${marker}] ${paint(terminal, 'bold', printable([title, ...headingPath].join(' › ')))}`,
    paint(terminal, 'dim', `    score ${score.toFixed(3)} · document ${documentId}, characters ${start}–${end}`)
  ])
  return lines.map((each) => `\n${each}`).join('') + (lines.length > 0 ? '\n' : '')
}
