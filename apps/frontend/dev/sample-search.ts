import type { SearchHit, SearchRequest, SearchResponse, SearchStatus } from '@oncall-agent/api-contracts'
import { sampleText } from './samples.ts'

const BANNERS = {
  loose_hit: [
    '没有完全匹配的知识，以下为相关参考，仅供参考。',
    'Nothing matches completely. The following is related.'
  ],
  vector_only: ['以下仅为语义相近的内容，可信度低。', 'The following is only similar in meaning.']
} as const
const DEFAULTS = { strict_max_hits: 8, title_boost: 3, rrf_window: 50, vector_weight: 0.5, loose_min_match: 0.6 }
/** The mock finds by these words, so that each status can be looked at. */
const STATUS_WORDS = ['too_many', 'loose_hit', 'vector_only', 'no_hit'] as const
const FOUND: Readonly<Record<SearchStatus, number>> = {
  strict_hit: 6,
  too_many: 41,
  loose_hit: 23,
  vector_only: 3,
  no_hit: 0
}
type Stage = SearchResponse['stages'][number]

const statusOf = ({ keywords = [], error_codes: codes = [] }: SearchRequest): SearchStatus =>
  STATUS_WORDS.find((name) => keywords.includes(name) && (name !== 'too_many' || codes.length === 0)) ?? 'strict_hit'

function stagesOf(status: SearchStatus, request: SearchRequest): Stage[] {
  const weighs = request.settings?.vector_weight !== 0
  const rescore = weighs ? ({ rescore: 'done' } as const) : ({ rescore: 'skipped', reason: 'weight_is_zero' } as const)
  const embed: Stage = { name: 'embed', status: 'ok', found: 1, took_ms: 12.4 }
  const of = (name: 'strict' | 'loose', found: number): Stage => {
    return { name, status: found > 0 ? 'ok' : 'empty', found, took_ms: 3.2, ...rescore }
  }
  const found = FOUND[status]
  const strict = of('strict', status === 'strict_hit' || status === 'too_many' ? found : 0)
  if (status === 'strict_hit') return [embed, strict]
  if (status === 'too_many') return [embed, strict, { name: 'facets', status: 'ok', found: 7, took_ms: 1.1 }]
  const loose = of('loose', status === 'loose_hit' ? found : 0)
  if (status === 'loose_hit') return [embed, strict, loose]
  const nearest: Stage =
    status === 'vector_only'
      ? { name: 'vector_only', status: 'ok', found, took_ms: 2.1 }
      : { name: 'vector_only', status: 'skipped', found: 0, took_ms: 0, reason: 'no_query_text' }
  return [embed, strict, loose, nearest]
}

function hitOf(index: number, status: SearchStatus, weight: number): SearchHit {
  const start = sampleText.indexOf('E_CONN_RESET')
  const [bm25, vector_part] = [status === 'vector_only' ? 0 : 9.5 - index * 0.7, 1.9 - ((index * 3) % 7) * 0.1]
  return {
    document_id: `kb-own-doc-${index}`,
    knowledge_base_id: 'kb-own',
    knowledge_type: 'alarm',
    project: index % 3 === 0 ? 'payments' : null,
    equipment: index % 2 === 0 ? 'pay-gateway' : null,
    error_codes: ['E_CONN_RESET', 'E1042'],
    title: index % 2 === 0 ? '连接被重置 <b>' : `KubePodCrashLooping ${index}`,
    excerpt: sampleText.slice(start, start + 120),
    excerpt_start: start,
    excerpt_end: start + 120,
    created_at: Date.now() - index * 86_400_000,
    score: status === 'vector_only' ? vector_part : (1 - weight) * bm25 + weight * vector_part,
    bm25,
    vector_part
  }
}

/** An answer by what is asked: a keyword that is a status gives that status; a code narrows `too_many`. */
export function sampleSearch(searchId: string, request: SearchRequest, isChinese: boolean): SearchResponse {
  const status = statusOf(request)
  const settings = { ...DEFAULTS, ...request.settings }
  const { size = 10, from_: from = 0 } = request
  const total = FOUND[status]
  const all = Array.from({ length: total }, (_each, index) => hitOf(index, status, settings.vector_weight))
  const facets = {
    project: [
      { value: 'payments', count: 30 },
      { value: 'clearing', count: 11 }
    ],
    equipment: [{ value: 'pay-gateway', count: 21 }],
    error_codes: [
      { value: 'E_CONN_RESET', count: 17 },
      { value: 'ORA 600, again', count: 2 }
    ]
  }
  return {
    status,
    total,
    hits: status === 'too_many' ? [] : all.toSorted((a, b) => b.score - a.score).slice(from, from + size),
    ...(status === 'too_many' ? { facets, facets_truncated: { project: 0, equipment: 0, error_codes: 34 } } : {}),
    ...(status === 'loose_hit' || status === 'vector_only' ? { banner: BANNERS[status][isChinese ? 0 : 1] } : {}),
    search_id: request.keywords?.includes('unstored') === true ? null : searchId,
    stages: stagesOf(status, request),
    settings
  }
}
