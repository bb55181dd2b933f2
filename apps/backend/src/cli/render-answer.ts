import type { Citation, EvidenceAnswer } from '@oncall-agent/retrieval'
import { evidenceWindow } from './evidence-window.ts'
import { paint, printable, type Terminal } from './terminal.ts'

export interface AnswerStyle {
  /** Every piece whole, however long. */
  readonly full: boolean
}

/** The evidence as a person reads it: where, how sure, how it was found, and the words. */
export function renderAnswer(terminal: Terminal, answer: EvidenceAnswer, { full }: AnswerStyle): string {
  const { citations, results, query } = answer
  if (citations.length === 0) return 'No evidence found: nothing in scope matches, by words or by meaning.'
  const pieces = citations.map((citation, index) => {
    const content = results[index]?.content ?? citation.excerpt
    const words = full ? content.split('\n').map(indented) : windowLines(terminal, content, query)
    return [...headLines(terminal, citation, index + 1), ...words].join('\n')
  })
  return pieces.join('\n\n')
}

function headLines(terminal: Terminal, citation: Citation, position: number): readonly string[] {
  const where = printable([citation.title, ...citation.headingPath].join(' › '))
  return [
    `[${position}] ${paint(terminal, 'bold', where)}`,
    paint(terminal, 'dim', `    ${foundBy(citation)}`),
    paint(terminal, 'dim', `    document ${citation.documentId}, characters ${citation.start}–${citation.end}`)
  ]
}

function windowLines(terminal: Terminal, content: string, query: string): readonly string[] {
  const { lines, above, below, whole } = evidenceWindow(content, query)
  const mark = (text: string) => paint(terminal, 'dim', `    … ${text}`)
  const cut = whole || above + below > 0 ? [] : [mark('long lines are cut; --full shows all')]
  return [
    ...(above === 0 ? [] : [mark(`${above} lines above`)]),
    ...lines.map(indented),
    ...(below === 0 ? [] : [mark(`${below} more lines; --full shows all`)]),
    ...cut
  ]
}

function indented(line: string): string {
  return `    ${printable(line)}`
}

/** "score 0.912 · vector #2 (0.713) · lexical #1 (14.20) · fused 0.0325" */
function foundBy(citation: Citation): string {
  return [
    `score ${citation.score.toFixed(3)}`,
    stage('vector', citation.vectorRank, citation.vectorScore, 3),
    stage('lexical', citation.bm25Rank, citation.bm25Score, 2),
    `fused ${citation.rrfScore?.toFixed(4) ?? '–'}`
  ].join(' · ')
}

function stage(name: string, rank: number | null, score: number | null, digits: number): string {
  return rank === null || score === null ? `${name} –` : `${name} #${rank} (${score.toFixed(digits)})`
}
