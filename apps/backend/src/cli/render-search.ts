import type { SearchFacets, SearchHit, SearchResponse } from '@oncall-agent/api-contracts'
import { renderTable } from './table.ts'
import { paint, printable, type Terminal } from './terminal.ts'

export interface SearchPlace {
  /** Documents before the first one shown. */
  readonly from: number
}

const statusWords: Record<SearchResponse['status'], string> = {
  strict_hit: 'all that was asked for matches',
  too_many: 'all that was asked for matches, in too many documents: narrow the search',
  loose_hit: 'some of the keywords match',
  vector_only: 'no keyword matches; these are the nearest by meaning',
  no_hit: 'nothing matches'
}

const stageWords: Record<SearchResponse['stages'][number]['name'], string> = {
  strict: 'strict (every keyword)',
  loose: 'loose (any keyword)',
  vector_only: 'by meaning',
  embed: 'embed the text',
  facets: 'count values'
}

const reasonWords: Record<NonNullable<SearchResponse['stages'][number]['reason']>, string> = {
  embedder_down: 'the embedding model is down',
  no_query_text: 'no --text was given',
  nothing_to_embed: 'neither keywords nor --text were given',
  weight_is_zero: 'search.vectorWeight is 0'
}

/** How strictly it matched, what was found, and how: as a person reads it. */
export function renderSearch(terminal: Terminal, answer: SearchResponse, { from }: SearchPlace): string {
  const { status, total, hits, facets, banner } = answer
  const parts = [
    `${paint(terminal, 'bold', status)}: ${statusWords[status]} (${total} ${total === 1 ? 'document' : 'documents'})`,
    ...(banner === undefined ? [] : [paint(terminal, 'yellow', banner)]),
    ...hits.map((hit, index) => hitLines(terminal, hit, { place: from + index + 1, answer })),
    ...(facets === undefined ? [] : [facetTables(terminal, facets, answer.facets_truncated)]),
    [paint(terminal, 'bold', 'Stages'), stageTable(answer.stages)].join('\n'),
    ...(answer.search_id === null ? [] : [paint(terminal, 'dim', `search ${answer.search_id}`)])
  ]
  return parts.join('\n\n')
}

interface Placed {
  readonly place: number
  readonly answer: SearchResponse
}

function hitLines(terminal: Terminal, hit: SearchHit, { place, answer }: Placed): string {
  const { document_id: documentId, excerpt, excerpt_start: start, excerpt_end: end } = hit
  return [
    `[${place}] ${paint(terminal, 'bold', printable(hit.title))}`,
    paint(terminal, 'dim', `    ${scoreWords(hit, answer)}`),
    paint(terminal, 'dim', `    ${printable(attributeWords(hit))}`),
    paint(terminal, 'dim', `    document ${printable(documentId)}, characters ${start}–${end}`),
    ...excerpt
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `    ${printable(line)}`)
  ].join('\n')
}

/** "score 5.120 = 0.5 × words 8.932 + 0.5 × meaning 1.308" */
function scoreWords(
  { score, bm25, vector_part: meaning }: SearchHit,
  { status, stages, settings }: SearchResponse
): string {
  const shown = `score ${score.toFixed(3)}`
  if (status === 'vector_only') return `${shown} = meaning (cosine + 1)`
  if (!stages.some(({ rescore }) => rescore === 'done')) return `${shown} = words`
  const weight = settings.vector_weight
  return `${shown} = ${short(1 - weight)} × words ${bm25.toFixed(3)} + ${short(weight)} × meaning ${meaning.toFixed(3)}`
}

/** 0.35, and not 0.35000000000000003. */
function short(weight: number): string {
  return String(Number(weight.toFixed(4)))
}

function attributeWords({ knowledge_type: type, project, equipment, error_codes: codes }: SearchHit): string {
  return [
    type,
    ...(project === null ? [] : [`project ${project}`]),
    ...(equipment === null ? [] : [`equipment ${equipment}`]),
    ...(codes.length === 0 ? [] : [codes.join(', ')])
  ].join(' · ')
}

const facetOptions: Record<keyof SearchFacets, string> = {
  project: '--project',
  equipment: '--equipment',
  error_codes: '--error-code'
}

function facetTables(terminal: Terminal, facets: SearchFacets, truncated: SearchResponse['facets_truncated']): string {
  const tables = Object.entries(facetOptions).map(([key, option]) => {
    const name = key as keyof SearchFacets
    const rows = facets[name].map(({ value, count }) => [value, String(count)])
    const beyond = truncated?.[name] ?? 0
    const columns = [
      { title: option, align: 'left', max: 60 },
      { title: 'documents', align: 'right' }
    ] as const
    if (rows.length === 0) return paint(terminal, 'dim', `${option}: no document has one`)
    const more = beyond === 0 ? [] : [paint(terminal, 'dim', `… and ${beyond} with other values`)]
    return [renderTable(columns, rows), ...more].join('\n')
  })
  return tables.join('\n\n')
}

function stageTable(stages: SearchResponse['stages']): string {
  return renderTable(
    [
      { title: 'stage', align: 'left' },
      { title: 'status', align: 'left' },
      { title: 'found', align: 'right' },
      { title: 'ms', align: 'right' },
      { title: 'ordered by', align: 'left' }
    ],
    stages.map(({ name, status, found, took_ms: tookMs, rescore, reason }) => [
      stageWords[name],
      status,
      String(found),
      tookMs.toFixed(1),
      found === 0 && reason === undefined ? '' : orderWords(rescore, reason)
    ])
  )
}

function orderWords(
  rescore: SearchResponse['stages'][number]['rescore'],
  reason: SearchResponse['stages'][number]['reason']
): string {
  const why = reason === undefined ? '' : reasonWords[reason]
  if (rescore === undefined) return why
  return rescore === 'done' ? 'words and meaning' : `words alone: ${why}`
}
