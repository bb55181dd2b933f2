import { PassThrough } from 'node:stream'
import type { SearchHit, SearchResponse } from '@oncall-agent/api-contracts'
import { describe, expect, it } from 'vitest'
import { renderSearch } from './render-search.ts'

const terminal = { out: new PassThrough(), notes: new PassThrough(), colour: false }

const hit: SearchHit = {
  document_id: 'd1',
  knowledge_base_id: 'kb',
  knowledge_type: 'alarm',
  project: '结算',
  equipment: 'F5',
  error_codes: ['E1', 'E2'],
  title: '网关 502',
  excerpt: 'first line\n\nsecond line',
  excerpt_start: 10,
  excerpt_end: 33,
  created_at: 1,
  score: 5.12,
  bm25: 8.932,
  vector_part: 1.308
}
const answer: SearchResponse = {
  status: 'strict_hit',
  total: 12,
  hits: [hit],
  search_id: 'the-search',
  stages: [
    { name: 'embed', status: 'ok', found: 1, took_ms: 9 },
    { name: 'strict', status: 'ok', found: 12, took_ms: 1.25, rescore: 'done' }
  ],
  settings: { strict_max_hits: 8, title_boost: 3, rrf_window: 50, vector_weight: 0.35, loose_min_match: 0.6 }
}
const render = (changes: Partial<SearchResponse> = {}, from = 0) =>
  renderSearch(terminal, { ...answer, ...changes }, { from })

describe('a search as a person reads it', () => {
  it('says how strictly it matched, and of each document what its score is made of and what it is filtered by', () => {
    expect(render({}, 10).split('\n')).toEqual([
      'strict_hit: all that was asked for matches (12 documents)',
      '',
      '[11] 网关 502',
      '    score 5.120 = 0.65 × words 8.932 + 0.35 × meaning 1.308',
      '    alarm · project 结算 · equipment F5 · E1, E2',
      '    document d1, characters 10–33',
      '    first line',
      '    second line',
      '',
      'Stages',
      'stage                   status  found   ms  ordered by',
      'embed the text          ok          1  9.0',
      'strict (every keyword)  ok         12  1.3  words and meaning',
      '',
      'search the-search'
    ])
  })

  it('shows the banner word for word, and that a score is of one part alone', () => {
    const banner = '没有完全匹配的知识，以下为相关参考，仅供参考。'
    const down = {
      name: 'loose',
      status: 'ok',
      found: 1,
      took_ms: 1,
      rescore: 'skipped',
      reason: 'embedder_down'
    } as const
    const shown = render({ status: 'loose_hit', banner, stages: [down] })
    expect(shown.split('\n')[2]).toBe(banner)
    expect(shown).toContain('    score 5.120 = words\n')
    expect(shown).toContain('words alone: the embedding model is down')
    expect(render({ status: 'vector_only' })).toContain('    score 5.120 = meaning (cosine + 1)\n')
  })

  it('that found too many shows what to narrow by, and how much is not shown', () => {
    const buckets = [
      { value: 'billing', count: 12 },
      { value: 'ledger', count: 3 }
    ]
    const shown = render({
      status: 'too_many',
      hits: [],
      facets: { project: buckets, equipment: [], error_codes: [{ value: 'E1', count: 2 }] },
      facets_truncated: { project: 4, equipment: 0, error_codes: 0 }
    })
    expect(shown).toContain('narrow the search')
    expect(shown).toContain(
      '--project  documents\nbilling           12\nledger             3\n… and 4 with other values\n'
    )
    expect(shown).toContain('--equipment: no document has one\n')
    expect(shown).toContain('--error-code  documents\nE1                    2\n')
  })

  it('that found nothing says so and why, and shows no id that names nothing', () => {
    const skipped = { name: 'vector_only', status: 'skipped', found: 0, took_ms: 0, reason: 'no_query_text' } as const
    const shown = render({ status: 'no_hit', total: 0, hits: [], search_id: null, stages: [skipped] })
    expect(shown).toMatch(/^no_hit: nothing matches \(0 documents\)\n/)
    expect(shown).toContain('no --text was given')
    expect(shown).not.toMatch(/search null|^search /m)
  })

  it('writes out what would move the cursor', () => {
    const evil = '\u001B[2Jtitle'
    const shown = render({ hits: [{ ...hit, title: evil, excerpt: evil, project: evil, error_codes: [evil] }] })
    expect(shown).not.toContain('\u001B')
    expect(shown.split('\\u001b[2Jtitle')).toHaveLength(5)
  })
})
