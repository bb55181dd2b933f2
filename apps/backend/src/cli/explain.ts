import type { EvidenceAnswer, StageTrace } from '@oncall-agent/retrieval'
import type { RecordedCandidate, RunRecord } from '../search/index.ts'
import { renderTable } from './table.ts'
import { paint, type Terminal } from './terminal.ts'

/** Stage names as a reader says them. */
const stageTitles: Record<StageTrace['name'], string> = {
  embed: 'embed the query',
  vector: 'vector (cosine)',
  lexical: 'lexical (BM25L)',
  fuse: 'fuse (RRF)',
  rerank: 'rerank'
}

/** The last step from the sum to the score, which no column shows. */
const SCORE_LEGEND =
  'score: the chance that the piece is relevant, from its sum and from how far it is ahead of the other candidates'

/** The whole way of an answer: stages with timings, every candidate with each stage's place, and what the scores are made of. */
export function renderExplanation(terminal: Terminal, answer: EvidenceAnswer, record: RunRecord | undefined): string {
  const parts = [paint(terminal, 'bold', 'Stages'), stageTable(answer.stages)]
  if (record !== undefined) {
    parts.push(
      '',
      paint(terminal, 'bold', `Candidates (${record.candidates.length})`),
      candidateTable(record.candidates)
    )
    const composed = record.candidates.filter((candidate) => candidate.rerankParts !== null)
    if (composed.length > 0)
      parts.push(
        '',
        paint(terminal, 'bold', 'What the rerank score is made of'),
        partsTable(composed),
        paint(terminal, 'dim', SCORE_LEGEND)
      )
    const { vector, lexical } = record.indexRevision
    parts.push(
      '',
      paint(terminal, 'dim', `index ${record.engine}, write ${vector ?? '–'}/${lexical ?? '–'} · run ${answer.runId}`)
    )
  }
  return parts.join('\n')
}

function stageTable(stages: readonly StageTrace[]): string {
  return renderTable(
    [
      { title: 'stage', align: 'left' },
      { title: 'status', align: 'left' },
      { title: 'found', align: 'right' },
      { title: 'ms', align: 'right' },
      { title: 'by', align: 'left' }
    ],
    stages.map((stage) => [
      stageTitles[stage.name],
      stage.status,
      stage.name === 'embed' ? '' : String(stage.candidates),
      stage.tookMs.toFixed(1),
      stage.engine
    ])
  )
}

function candidateTable(candidates: readonly RecordedCandidate[]): string {
  return renderTable(
    [
      { title: 'rerank', align: 'right' },
      { title: 'score', align: 'right' },
      { title: 'rrf', align: 'right' },
      { title: 'score', align: 'right' },
      { title: 'vector', align: 'right' },
      { title: 'cosine', align: 'right' },
      { title: 'lexical', align: 'right' },
      { title: 'BM25L', align: 'right' },
      { title: 'where', align: 'left', max: 72 }
    ],
    candidates.map((candidate) => [
      place(candidate.rerankRank),
      score(candidate.rerankScore, 3),
      place(candidate.rrfRank),
      score(candidate.rrfScore, 4),
      place(candidate.vectorRank),
      score(candidate.vectorScore, 3),
      place(candidate.bm25Rank),
      score(candidate.bm25Score, 2),
      location(candidate)
    ])
  )
}

function partsTable(candidates: readonly RecordedCandidate[]): string {
  const names = [...new Set(candidates.flatMap((candidate) => Object.keys(candidate.rerankParts ?? {})))]
  return renderTable(
    [
      { title: 'rerank', align: 'right' },
      ...names.map((name) => ({ title: name, align: 'right' as const })),
      { title: 'sum', align: 'right' },
      { title: 'score', align: 'right' }
    ],
    candidates.map((candidate) => {
      const parts = candidate.rerankParts ?? {}
      const sum = Object.values(parts).reduce((total, part) => total + part, 0)
      return [
        place(candidate.rerankRank),
        ...names.map((name) => score(parts[name] ?? null, 3)),
        score(sum, 3),
        score(candidate.rerankScore, 3)
      ]
    })
  )
}

/** "runbooks/etcd.md › etcd › 磁盘空间满" */
function location(candidate: Pick<RecordedCandidate, 'source' | 'headingPath' | 'title' | 'documentId'>): string {
  const name = candidate.source || candidate.title || candidate.documentId
  return [name, ...candidate.headingPath].join(' › ')
}

function place(rank: number | null): string {
  return rank === null ? '·' : `#${rank}`
}

function score(value: number | null, digits: number): string {
  return value === null ? '·' : value.toFixed(digits)
}
