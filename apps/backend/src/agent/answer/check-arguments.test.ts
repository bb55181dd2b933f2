import { describe, expect, test } from 'vitest'
import { createKnowledgeRetrieval } from '../tools/knowledge-retrieval.ts'
import { createStructuredSearchTool } from '../tools/structured-search.ts'
import { faultOf } from './check-arguments.ts'

const never = (): Promise<never> => Promise.reject(new Error('not called'))

describe('arguments of a tool', () => {
  test.each([
    [{ query: 'q' }, 'fits'],
    [{ query: 'q', topK: 50, filters: { metadata: { severity: 1, active: true, level: '1' } } }, 'fits'],
    [{ query: 'q', topK: 0 }, 'arguments.topK'],
    [{ query: 'q', topK: 1.5 }, 'arguments.topK'],
    [{ query: 'x'.repeat(4_001) }, 'arguments.query'],
    [{ query: 'q', filters: { metadata: { a: ['x'] } } }, 'arguments.filters.metadata.a'],
    [{ query: 'q', filters: { tenantId: 't' } }, 'additional properties (tenantId)'],
    [[], 'must be a JSON object'],
    [null, 'must be a JSON object'],
    ['q', 'must be a JSON object']
  ])('of knowledge_retrieval are those of its contract: %j', (input, fault) => {
    const found = faultOf(input, createKnowledgeRetrieval(never).inputSchema)
    expect(found ?? 'fits').toContain(fault)
  })

  test('of structured_search are those of its contract', () => {
    const { inputSchema } = createStructuredSearchTool(never, 'en')
    expect(faultOf({ error_codes: ['E1'], keywords: ['lag'], size: 5 }, inputSchema)).toBeUndefined()
    expect(faultOf({ error_code: 'E1' }, inputSchema)).toContain('additional properties (error_code)')
  })

  test('are held against schemas of any dialect; one that can not be read lets nothing pass', () => {
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://x.example/a', type: 'object' }
    expect(faultOf({}, { ...draft7, required: ['a'] })).toContain("required property 'a'")
    expect(
      faultOf({ a: 'x' }, { ...draft7, properties: { a: { type: 'string', format: 'unheard-of' } } })
    ).toBeUndefined()
    expect(faultOf({}, { type: 'object', $ref: 'https://elsewhere.example/schema' })).toContain('can not be read')
    expect(faultOf({}, { type: 'nonsense' })).toContain('can not be read')
  })

  test('are told at most five faults of', () => {
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, { type: 'string' }]))
    const input = Object.fromEntries(Object.keys(properties).map((name) => [name, 1]))
    expect(faultOf(input, { type: 'object', properties })?.split(';')).toHaveLength(5)
  })
})
