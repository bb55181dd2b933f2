import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkStructuredRequest, DEFAULT_KNOWLEDGE_TYPES, DEFAULT_STRUCTURED_SETTINGS, settingFault } from './index.ts'
import { MAX_KEYWORD_TOKENS, meantText, STRUCTURED_SETTING_RANGES } from './index.ts'
import type { StructuredQuestion, StructuredRequest } from './index.ts'

const bounds = {
  pairs: [{ tenantId: 'tenant', knowledgeBaseId: 'kb' }],
  knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES,
  maxResultWindow: 10_000
}

function questionOf(request: StructuredRequest): StructuredQuestion {
  const { question, fault } = checkStructuredRequest(request, bounds)
  expect(fault).toBeUndefined()
  return question!
}

function faultyField(request: StructuredRequest): string | undefined {
  return checkStructuredRequest(request, bounds).fault?.field
}

describe('a structured request', () => {
  it('has the defaults of the contract', () => {
    expect(questionOf({})).toEqual({
      pairs: bounds.pairs,
      filters: {},
      keywords: [],
      mode: 'auto',
      from: 0,
      size: 10,
      language: 'zh'
    })
  })

  it('takes what is given, `from` being another name of `from_`', () => {
    const request = {
      project: 'p',
      equipment: ' e',
      error_codes: ['E1', 'E1', 'E2'],
      knowledge_type: 'setup',
      from: 20
    }
    const question = questionOf({ ...request, query_text: ' why? ', mode: 'loose', size: 5 })
    const filters = { project: 'p', equipment: ' e', errorCodes: ['E1', 'E2'], knowledgeType: 'setup' }
    expect(question).toMatchObject({ filters, queryText: 'why?', mode: 'loose', size: 5, from: 20 })
    expect(questionOf({ from: 3, from_: 3 }).from).toBe(3)
  })

  it('takes empty texts and lists for not given', () => {
    const empty = {
      project: '',
      equipment: '',
      error_codes: [],
      knowledge_type: '',
      keywords: ['', ' '],
      query_text: ' '
    }
    expect(questionOf(empty)).toEqual(questionOf({}))
    expect(questionOf({ error_codes: [''] }).filters).toEqual({})
  })

  it.each([
    ['mode', { mode: 'fuzzy' }],
    ['size', { size: 0 }],
    ['size', { size: 101 }],
    ['size', { size: 2.5 }],
    ['from_', { from_: -1 }],
    ['from_', { from_: Number.NaN }],
    ['from', { from_: 1, from: 2 }],
    ['from_', { from_: 9_991 }],
    ['from_', { from: 9_901, size: 100 }],
    ['knowledge_type', { knowledge_type: 'Alarm' }],
    ['keywords', { keywords: ['网关'.repeat(1), Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ')] }]
  ])('is refused for %s: %o', (field, request) => {
    expect(faultyField(request)).toBe(field)
  })

  it('may page up to the window, and not past it', () => {
    expect(faultyField({ from_: 9_990, size: 10 })).toBeUndefined()
    const { fault } = checkStructuredRequest({ from_: 91, size: 10 }, { ...bounds, maxResultWindow: 100 })
    expect(fault).toEqual({ field: 'from_', reason: 'from_ + size is 101, over the 100 that may be paged through' })
  })

  it('never throws, and what it lets through is inside every bound', () => {
    const number = fc.oneof(fc.integer({ min: -5, max: 10_100 }), fc.double())
    const request = fc.record(
      {
        keywords: fc.array(fc.string({ unit: 'binary' })),
        query_text: fc.string(),
        mode: fc.string(),
        size: number,
        from_: number
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(request, (given) => {
        const { question, fault } = checkStructuredRequest(given, bounds)
        expect((question === undefined) !== (fault === undefined)).toBe(true)
        if (question === undefined) return
        expect(question.from + question.size).toBeLessThanOrEqual(bounds.maxResultWindow)
        const tokens = question.keywords.flatMap((keyword) => keyword.tokens)
        expect(tokens.length).toBeLessThanOrEqual(MAX_KEYWORD_TOKENS)
      })
    )
  })
})

describe('keywords', () => {
  it('drop blanks and what searches the same, the first spelling staying', () => {
    const { keywords } = questionOf({ keywords: ['Disk', ' ', 'disk', 'ＤＩＳＫ', 'disk disk', 'full'] })
    expect(keywords).toEqual([
      { text: 'Disk', tokens: ['disk'] },
      { text: 'full', tokens: ['full'] }
    ])
  })

  it('stay without tokens where they are punctuation alone, once', () => {
    expect(questionOf({ keywords: ['？！', '...'] }).keywords).toEqual([{ text: '？！', tokens: [] }])
  })

  it('are cut at the border of Chinese and an identifier, and one character is a keyword', () => {
    const [glued, one] = questionOf({ keywords: ['报错E_1027', '龙'] }).keywords
    expect(glued!.tokens).toEqual(['报', '错', '报错', 'e_1027', '1027'])
    expect(one).toEqual({ text: '龙', tokens: ['龙'] })
  })

  it('mean their texts in a row where there is no sentence', () => {
    expect(meantText(questionOf({ keywords: ['磁盘', 'full'] }))).toBe('磁盘 full')
    expect(meantText(questionOf({ keywords: ['disk'], query_text: 'why?' }))).toBe('why?')
    expect(meantText(questionOf({}))).toBeUndefined()
  })
})

describe('settings', () => {
  it('have the defaults of the contract, and those are in range', () => {
    expect(DEFAULT_STRUCTURED_SETTINGS).toEqual({
      strictMaxHits: 8,
      titleBoost: 3,
      rrfWindow: 50,
      vectorWeight: 0.5,
      maxResultWindow: 10_000,
      looseMinMatch: 0.6
    })
    expect(settingFault(DEFAULT_STRUCTURED_SETTINGS)).toBeNull()
  })

  it.each(Object.entries(STRUCTURED_SETTING_RANGES))('names %s when it is out of range', (key, { min, max, whole }) => {
    const withValue = (value: number) => settingFault({ ...DEFAULT_STRUCTURED_SETTINGS, [key]: value })
    expect([withValue(min), withValue(max)]).toEqual([null, null])
    for (const value of [min - 0.001, max + 0.001, Number.NaN, ...(whole ? [min + 0.5] : [])]) {
      expect(withValue(value)?.key).toBe(key)
    }
  })
})
