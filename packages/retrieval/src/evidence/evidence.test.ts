import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PortError } from '../ports/index.ts'
import type { MetadataValue, RerankScore, Scope } from '../ports/index.ts'
import { CASES_ABSENT_REASON, CASES_PRESENT, readCases } from '../test-material/shared-cases.ts'
import { checkRerank, checkScope, cite, clampTopK, EXCERPT_LIMIT, matchesMetadata, scopeViolation } from './index.ts'
import { searchedText } from './index.ts'
import type { EvidenceHit } from './index.ts'

const hit: EvidenceHit = {
  chunkId: 'd1#0003',
  documentId: 'd1',
  knowledgeBaseId: 'kb1',
  ownerUserId: 't1',
  tenantId: 't1',
  content: '先看上游健康，再滚动重启',
  source: 'runbooks/gateway.md',
  metadata: { level: 1 },
  score: 0.9,
  vectorRank: null,
  bm25Rank: 2,
  rerankRank: 1,
  vectorScore: null,
  bm25Score: 3.5,
  rrfScore: 0.016,
  rerankScore: 0.9
}

describe('searchedText', () => {
  it('puts title, heading path and content on their own lines', () => {
    const text = searchedText({ title: 'Gateway', headingPath: ['Alerts', 'Diagnosis'], content: 'look\nhere' })
    expect(text).toBe('Gateway\nAlerts > Diagnosis\nlook\nhere')
  })

  it('says a title once that is also the outermost heading', () => {
    expect(searchedText({ title: 'Gateway', headingPath: ['Gateway', 'Alerts'], content: 'x' })).toBe(
      'Gateway\nAlerts\nx'
    )
    expect(searchedText({ title: 'Gateway', headingPath: [' Gateway '], content: 'x' })).toBe('Gateway\nx')
  })

  it('leaves empty parts out, without an empty line', () => {
    expect(searchedText({ title: '', headingPath: [], content: 'x' })).toBe('x')
    expect(searchedText({ title: ' ', headingPath: ['', 'B'], content: 'x' })).toBe('B\nx')
    expect(searchedText({ title: 'T', headingPath: [], content: '' })).toBe('T')
  })
})

describe('clampTopK', () => {
  it('defaults to five, keeps one to five, clamps more', () => {
    expect([clampTopK(), clampTopK(1), clampTopK(5), clampTopK(6), clampTopK(1e9)]).toEqual([5, 1, 5, 5, 5])
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (value) => {
    expect(() => clampTopK(value)).toThrow(PortError)
  })
})

describe('checkRerank', () => {
  it('sorts by score and keeps fused order among equals', () => {
    const scores = [
      { index: 2, score: 0.5 },
      { index: 0, score: 0.5 },
      { index: 1, score: 0.7 }
    ]
    expect(checkRerank(scores, 3, 5).map((item) => item.index)).toEqual([1, 0, 2])
  })

  it('takes no scores for no candidates', () => {
    expect(checkRerank([], 0, 5)).toEqual([])
  })

  it.each([
    ['an index out of range', [{ index: 2, score: 0.9 }]],
    ['a negative index', [{ index: -1, score: 0.9 }]],
    ['an index that is no integer', [{ index: 0.5, score: 0.9 }]],
    ['a missing index', [{ score: 0.9 }]],
    ['a null score', [{ index: 0, score: null }]],
    ['a score as text', [{ index: 0, score: '0.9' }]],
    ['a score above one', [{ index: 0, score: 1.0001 }]],
    ['a score below zero', [{ index: 0, score: -1e-9 }]],
    ['a score that is not a number', [{ index: 0, score: Number.NaN }]],
    ['a hole', [null]],
    ['no scores', []],
    ['no list', { results: [] }]
  ])('refuses %s', (_, answer) => {
    expect(() => checkRerank(answer as unknown as RerankScore[], 2, 1)).toThrow(PortError)
  })

  it('refuses a candidate named twice, and more scores than asked for', () => {
    const twice = [
      { index: 0, score: 0.9 },
      { index: 0, score: 0.8 }
    ]
    expect(() => checkRerank(twice, 2, 2)).toThrow(/repeats/)
    expect(() => checkRerank(twice, 2, 1)).toThrow(/2 scores where 1/)
  })

  it('never repeats what the provider said', () => {
    const answer = [{ index: 'sk-secret', score: 1 }] as unknown as RerankScore[]
    expect(() => checkRerank(answer, 2, 1)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('sk-secret'), failure: 'unavailable' })
    )
  })

  it.skipIf(!CASES_PRESENT)(`refuses each bad answer seen elsewhere (skipped where ${CASES_ABSENT_REASON})`, () => {
    const answers =
      readCases<Record<string, { results?: { index: number; relevance_score: number }[] }>>(
        'peers/stub_rerank_bad.json'
      )
    const refused = Object.entries(answers).filter(([, answer]) => {
      const scores = answer.results?.map((item) => ({ index: item.index, score: item.relevance_score }))
      try {
        checkRerank(scores as RerankScore[], 2, 2)
        return false
      } catch (error) {
        return error instanceof PortError
      }
    })
    expect(Object.keys(answers).filter((name) => !refused.some(([bad]) => bad === name))).toEqual(['ok'])
  })
})

describe('matchesMetadata', () => {
  const values: MetadataValue[] = [1, '1', true, 0, '', false, 'true']

  it('tells types apart', () => {
    for (const [left, value] of values.entries()) {
      for (const [right, wanted] of values.entries()) {
        expect(matchesMetadata({ key: value }, { key: wanted })).toBe(left === right)
      }
    }
  })

  it('wants every key of the filter, and ignores other keys of the chunk', () => {
    expect(matchesMetadata({ a: 1, b: 2 }, { a: 1 })).toBe(true)
    expect(matchesMetadata({ a: 1 }, { a: 1, b: 2 })).toBe(false)
    expect(matchesMetadata({}, {})).toBe(true)
  })

  it('takes a key that is absent for no value at all, not for one that equals undefined', () => {
    expect(matchesMetadata({}, { key: undefined } as never)).toBe(false)
  })

  it('does not look into what objects inherit', () => {
    expect(matchesMetadata({}, { constructor: 'x' } as never)).toBe(false)
    expect(matchesMetadata({}, JSON.parse('{"__proto__":"x"}') as never)).toBe(false)
  })
})

describe('checkScope', () => {
  const scope: Scope = { pairs: [{ tenantId: 't1', knowledgeBaseId: 'kb1' }] }

  it('passes a hit that is inside in every respect', () => {
    expect(() => checkScope(hit, { ...scope, documentIds: ['d1'], metadata: { level: 1 } })).not.toThrow()
  })

  it.each([
    ['tenant', { pairs: [{ tenantId: 't2', knowledgeBaseId: 'kb1' }] }],
    ['tenant', { pairs: [] }],
    ['knowledge base', { pairs: [{ tenantId: 't1', knowledgeBaseId: 'kb2' }] }],
    [
      'knowledge base',
      {
        pairs: [
          { tenantId: 't1', knowledgeBaseId: 'kb2' },
          { tenantId: 't2', knowledgeBaseId: 'kb1' }
        ]
      }
    ],
    ['document', { ...scope, documentIds: [] }],
    ['document', { ...scope, documentIds: ['d2'] }],
    ['metadata', { ...scope, metadata: { level: '1' } }]
  ] as [string, Scope][])('finds the %s outside', (violation, other) => {
    expect(scopeViolation(hit, other)).toBe(violation)
    expect(() => checkScope(hit, other)).toThrow(expect.objectContaining({ failure: 'corrupt', subject: violation }))
  })

  it('names no id of the other side', () => {
    const stranger = { ...hit, tenantId: 'secret-tenant' }
    expect(() => checkScope(stranger, scope)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret-tenant') })
    )
  })
})

describe('cite', () => {
  it('carries the ids, the span and every rank and score of the hit, nulls included', () => {
    const citation = cite(hit, { headingPath: ['恢复'], start: 10, end: 22 })
    const { chunkId, content, source, ownerUserId: _owner, tenantId: _tenant, metadata: _metadata, ...kept } = hit
    const shown = {
      id: chunkId,
      title: source,
      excerpt: content,
      sourceType: 'knowledge-base',
      headingPath: ['恢复'],
      start: 10,
      end: 22
    }
    expect(citation).toEqual({ ...kept, ...shown })
  })

  it('is titled by the document id where there is no source', () => {
    expect(cite({ ...hit, source: '' }, { headingPath: [], start: 0, end: 1 }).title).toBe('d1')
  })

  it('cuts the excerpt before a grapheme that does not fit, and never exceeds the limit', () => {
    const content = `${'x'.repeat(EXCERPT_LIMIT - 1)}👨‍👩‍👧`
    expect(cite({ ...hit, content }, { headingPath: [], start: 0, end: 1 }).excerpt).toBe('x'.repeat(EXCERPT_LIMIT - 1))
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 200, maxLength: 600 }), (text) => {
        const { excerpt } = cite({ ...hit, content: text }, { headingPath: [], start: 0, end: 1 })
        expect(text.startsWith(excerpt)).toBe(true)
        expect(excerpt.length).toBeLessThanOrEqual(EXCERPT_LIMIT)
      })
    )
  })
})
