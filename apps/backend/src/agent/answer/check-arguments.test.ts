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

  test('are told at most five faults of', () => {
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, { type: 'string' }]))
    const input = Object.fromEntries(Object.keys(properties).map((name) => [name, 1]))
    expect(faultOf(input, { inputSchema: { type: 'object', properties } })?.split(';')).toHaveLength(5)
  })
})

/** References that fan out: some two thousand bytes that stand for hundreds of millions of checks. */
function fanningOut(keyword: 'anyOf' | 'allOf'): object {
  const last = { required: ['zz'] }
  const next = (at: number) => ({ [keyword]: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] })
  const $defs = Object.fromEntries(Array.from({ length: 29 }, (_, at) => [`a${at}`, at === 28 ? last : next(at)]))
  return { $ref: '#/$defs/a0', $defs }
}

describe('arguments of a tool of somebody else’s server', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { a: { type: 'string', maxLength: 3 }, n: { type: ['integer', 'null'] }, pattern: {} },
    required: ['a'],
    additionalProperties: false
  }

  test.each<[unknown, string]>([
    [{ a: 'x' }, 'fits'],
    [{ a: 'x', n: null, pattern: [] }, 'fits'],
    [{ a: 'longer than its server allows' }, 'fits'],
    [{}, "arguments: must have required property 'a'"],
    [{ a: 1 }, 'arguments.a: must be string'],
    [{ a: 'x', n: 1.5 }, 'arguments.n: must be integer or null'],
    [{ a: 'x', path: '' }, 'arguments: must NOT have additional properties (path)'],
    [{ a: 'x', __proto__x: 1 }, 'additional properties (__proto__x)'],
    [['a'], 'must be a JSON object']
  ])('are held to the names and types at the top: %j', (input, fault) => {
    expect(theirs(input, schema) ?? 'fits').toContain(fault)
  })

  test.each([
    { type: 'nonsense' },
    { properties: 'no', required: 7 },
    { properties: { a: 'no' }, required: [7, null] },
    { properties: { a: { type: 'heard-of-nowhere' } } },
    { type: 'object', $ref: 'https://elsewhere.example/schema' },
    { patternProperties: { '^a': {} }, additionalProperties: false }
  ])('are left to that server where its schema can not be read: %j', (unreadable) => {
    expect(theirs({ a: 1 }, unreadable)).toBeUndefined()
  })

  test.each<[string, object, unknown]>([
    ['a pattern', { properties: { a: { type: 'string', pattern: '^(a|a)*$' } } }, { a: `${'a'.repeat(40)}!` }],
    ['a pattern of names', { propertyNames: { pattern: '^(a+)+$' } }, { [`${'a'.repeat(40)}!`]: 1 }],
    ['items that are to differ', { properties: { a: { uniqueItems: true } } }, { a: Array.from({ length: 40_000 }) }],
    ['references that fan out into anyOf', fanningOut('anyOf'), { a: 1 }],
    ['references that fan out into allOf', fanningOut('allOf'), { a: 1 }]
  ])('are not held to %s, which could hold everybody up', (_, hostile, input) => {
    const started = performance.now()
    expect(theirs(input, { type: 'object', ...hostile })).toBeUndefined()
    // Held to it, minutes, or until the memory ends.
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
