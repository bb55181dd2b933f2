import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { METADATA_KEYS_LIMIT, QUERY_LIMIT, retrievalRequestSchema } from './retrieval-request.ts'

const accepts = (request: unknown): boolean => retrievalRequestSchema.safeParse(request).success
const withMetadata = (metadata: unknown): unknown => ({ query: 'q', filters: { metadata } })

describe('a retrieval request', () => {
  test('is trimmed, also of ideographic spaces, and asks for five by default', () => {
    expect(retrievalRequestSchema.parse({ query: '\u3000 E_CONN_RESET 怎么恢复 \n' })).toEqual({
      query: 'E_CONN_RESET 怎么恢复',
      topK: 5
    })
  })

  test.each([[''], [' \u3000\t\n'], [undefined], [null], [7], [['q']]])('refuses the query %j', (query) => {
    expect(accepts({ query })).toBe(false)
  })

  test('counts the characters of a query after trimming', () => {
    expect(accepts({ query: ` ${'问'.repeat(QUERY_LIMIT)} ` })).toBe(true)
    expect(accepts({ query: '问'.repeat(QUERY_LIMIT + 1) })).toBe(false)
  })

  test('takes a topK above five, which the room clamps', () => {
    expect(retrievalRequestSchema.parse({ query: 'q', topK: 50 }).topK).toBe(50)
  })

  test.each([[0], [-1], [1.5], ['3'], [null], [Number.NaN]])('refuses topK %j', (topK) => {
    expect(accepts({ query: 'q', topK })).toBe(false)
  })

  test('takes a thousand ids and values of a thousand characters, and no more: every run keeps them', () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `d${index}`)
    const atMost = ids.slice(0, 1_000)
    expect(accepts({ query: 'q', filters: { documentIds: atMost } })).toBe(true)
    expect(accepts({ query: 'q', filters: { documentIds: ids } })).toBe(false)
    expect(accepts({ query: 'q', filters: { knowledgeBaseIds: ids } })).toBe(false)
    expect(accepts(withMetadata({ key: 'v'.repeat(1_000) }))).toBe(true)
    expect(accepts(withMetadata({ key: 'v'.repeat(1_001) }))).toBe(false)
    expect(accepts(withMetadata({ ['k'.repeat(1_001)]: 1 }))).toBe(false)
  })

  test.each([
    [{ query: 'q', limit: 3 }],
    [{ query: 'q', tenantId: 't1' }],
    [{ query: 'q', filters: { tenantId: 't1' } }],
    [{ query: 'q', filters: [] }]
  ])('refuses keys that the contract does not have: %j', (request) => {
    expect(accepts(request)).toBe(false)
  })

  test('takes ids, and an empty list of them, which means none', () => {
    expect(accepts({ query: 'q', filters: { knowledgeBaseIds: [], documentIds: ['d1', 'd2'] } })).toBe(true)
    expect(accepts({ query: 'q', filters: { documentIds: 'd1' } })).toBe(false)
    expect(accepts({ query: 'q', filters: { documentIds: [''] } })).toBe(false)
  })

  test('keeps the type of every metadata value', () => {
    const metadata = { severity: 1, level: '1', active: true, 环境: 'prod' }
    expect(retrievalRequestSchema.parse(withMetadata(metadata)).filters?.metadata).toEqual(metadata)
  })

  test.each([[{ a: null }], [{ a: ['x'] }], [{ a: { $gt: 1 } }], [['a']], ['a=1'], [{ a: Infinity }], [{ '': 1 }]])(
    'refuses the metadata filter %j',
    (metadata) => expect(accepts(withMetadata(metadata))).toBe(false)
  )

  test('takes exactly as many metadata keys as the limit says', () => {
    const value = fc.oneof(fc.string(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    const key = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__')
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: METADATA_KEYS_LIMIT + 4 }), (metadata) => {
        expect(accepts(withMetadata(metadata))).toBe(Object.keys(metadata).length <= METADATA_KEYS_LIMIT)
      })
    )
  })

  test('names the field that is wrong', () => {
    const result = retrievalRequestSchema.safeParse({ query: 'q', filters: { metadata: { severity: null } } })
    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['filters.metadata.severity'])
  })
})
