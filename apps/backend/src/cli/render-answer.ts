import type { Citation, EvidenceAnswer } from '@oncall-agent/retrieval'
import { paint, printable, type Terminal } from './terminal.ts'

/** Lines of an excerpt that a person is shown; the whole chunk is in `--json`. */
const EXCERPT_LINES = 6

/** The evidence as a person reads it: where, how sure, how it was found, and the words. */
export function renderAnswer(terminal: Terminal, { citations }: EvidenceAnswer): string {
  if (citations.length === 0) return 'No evidence found: nothing in scope matches, by words or by meaning.'
  return citations.map((citation, index) => renderCitation(terminal, citation, index + 1)).join('\n\n')
}

function renderCitation(terminal: Terminal, citation: Citation, position: number): string {
  const where = printable([citation.title, ...citation.headingPath].join(' › '))
  const heading = `[${position}] ${paint(terminal, 'bold', where)}`
  const found = paint(terminal, 'dim', `    ${foundBy(citation)}`)
  return [heading, found, ...excerptLines(citation.excerpt)].join('\n')
}

/** "score 0.912 · vector #2 (0.713) · lexical #1 (14.20) · fused 0.0325 · characters 120–980" */
function foundBy(citation: Citation): string {
  return [
    `score ${citation.score.toFixed(3)}`,
    stage('vector', citation.vectorRank, citation.vectorScore, 3),
    stage('lexical', citation.bm25Rank, citation.bm25Score, 2),
    `fused ${citation.rrfScore?.toFixed(4) ?? '–'}`,
    `characters ${citation.start}–${citation.end}`
  ].join(' · ')
}

function stage(name: string, rank: number | null, score: number | null, digits: number): string {
  return rank === null || score === null ? `${name} –` : `${name} #${rank} (${score.toFixed(digits)})`
}

function excerptLines(excerpt: string): readonly string[] {
  const lines = printable(excerpt)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = lines.slice(0, EXCERPT_LINES).map((line) => `    ${line}`)
  return lines.length > EXCERPT_LINES ? [...shown, '    …'] : shown
}
