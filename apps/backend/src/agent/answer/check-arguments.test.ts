import { describe, expect, test } from 'vitest'
import { createKnowledgeRetrieval } from '../tools/knowledge-retrieval.ts'
import { createStructuredSearchTool } from '../tools/structured-search.ts'
import { faultOf } from './check-arguments.ts'

const never = (): Promise<never> => Promise.reject(new Error('not called'))

/** By the schema of a tool server. */
const theirs = (input: unknown, inputSchema: Readonly<Record<string, unknown>>) =>
  faultOf(input, { inputSchema, serverId: 'server-1' })

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
    const found = faultOf(input, createKnowledgeRetrieval(never))
    expect(found ?? 'fits').toContain(fault)
  })

  test('of structured_search are those of its contract', () => {
    const tool = createStructuredSearchTool(never, 'en')
    expect(faultOf({ error_codes: ['E1'], keywords: ['lag'], size: 5 }, tool)).toBeUndefined()
    expect(faultOf({ error_code: 'E1' }, tool)).toContain('additional properties (error_code)')
  })

  test('are held against schemas of any dialect; one that can not be read lets nothing pass', () => {
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://x.example/a', type: 'object' }
    expect(theirs({}, { ...draft7, required: ['a'] })).toContain("required property 'a'")
    expect(
      theirs({ a: 'x' }, { ...draft7, properties: { a: { type: 'string', format: 'unheard-of' } } })
    ).toBeUndefined()
    expect(theirs({}, { type: 'object', $ref: 'https://elsewhere.example/schema' })).toContain('can not be read')
    expect(theirs({}, { type: 'nonsense' })).toContain('can not be read')
  })

  test('are told at most five faults of', () => {
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, { type: 'string' }]))
    const input = Object.fromEntries(Object.keys(properties).map((name) => [name, 1]))
    expect(faultOf(input, { inputSchema: { type: 'object', properties } })?.split(';')).toHaveLength(5)
    expect(theirs(input, { type: 'object', properties })?.split(';')).toHaveLength(1)
  })

  test.each<[string, object, unknown]>([
    ['a pattern', { properties: { a: { type: 'string', pattern: '^(a|a)*$' } } }, { a: `${'a'.repeat(40)}!` }],
    ['a pattern of names', { propertyNames: { pattern: '^(a+)+$' } }, { [`${'a'.repeat(40)}!`]: 1 }],
    ['a pattern that begins names', { patternProperties: { '^(a+)+$': {} } }, { [`${'a'.repeat(40)}!`]: 1 }],
    [
      'names beside patterns',
      { patternProperties: { '^(a+)+$': {} }, additionalProperties: false },
      { [`${'a'.repeat(40)}!`]: 1 }
    ],
    [
      'items that are to differ',
      { properties: { a: { uniqueItems: true } } },
      { a: Array.from({ length: 40_000 }, (_, at) => [at]) }
    ]
  ])('are not held to %s of a tool server, which could hold everybody up', (_, schema, input) => {
    const started = performance.now()
    expect(theirs(input, { type: 'object', ...schema })).toBeUndefined()
    // Without the mend minutes, or for ever.
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test.each<[string, object]>([
    ['not', { not: { required: ['a'], properties: { a: { pattern: '^-' } } } }],
    ['oneOf', { oneOf: [{ properties: { a: { pattern: '^x' } } }, { properties: { a: { pattern: '^-' } } }] }],
    ['if', JSON.parse('{"if":{"properties":{"a":{"pattern":"^-"}}},"then":{"required":["b"]}}') as object],
    ['patternProperties', { patternProperties: { '^n': { type: 'number' } }, unevaluatedProperties: false }]
  ])('that fit a schema are not refused because a pattern within its %s is not checked', (_, schema) => {
    expect(theirs({ a: 'x' }, { type: 'object', properties: { a: { type: 'string' } }, ...schema })).toBeUndefined()
  })

  test('are held to everything else of a schema with patterns, also where an argument has the name of one', () => {
    const a = { type: 'object', properties: { a: { type: 'string', pattern: '^x', maxLength: 3 } }, required: ['a'] }
    expect(theirs({}, a)).toContain("required property 'a'")
    expect(theirs({ a: 'four' }, a)).toContain('arguments.a')
    const named = { type: 'object', properties: { pattern: { type: 'string' } }, additionalProperties: false }
    expect(theirs({ pattern: 1 }, named)).toContain('arguments.pattern')
    expect(theirs({ path: 'x' }, named)).toContain('additional properties (path)')
  })
})
