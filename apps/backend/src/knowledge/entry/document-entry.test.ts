import { Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { describe, expect, it } from 'vitest'
import { type EntrySource, entryTextOf, withVector } from './document-entry.ts'
import { meanVector } from './mean-vector.ts'
import { searchableAttributes } from './searchable-attributes.ts'

const settings = { knowledgeTypes: ['alarm', 'setup', 'experience'], defaultType: 'experience' }

function source(
  record: Partial<EntrySource['record']> = {},
  document: Partial<EntrySource['document']> = {}
): EntrySource {
  return {
    record: {
      documentId: 'd',
      tenantId: 't',
      knowledgeBaseId: 'k',
      ownerUserId: 't',
      version: 3,
      source: 'gateway.md',
      createdAt: 1_700_000_000_000,
      contentHash: 'abc',
      metadata: {},
      ...record
    },
    document: {
      title: '网关 502',
      text: 'gateway E_CONN_RESET',
      attributes: { knowledgeType: 'alarm', project: 'billing', equipment: 'F5', errorCodes: ['E1', 'E2'] },
      ...document
    }
  }
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * right[at]!, 0)
}

describe('an entry', () => {
  it('is the whole document: title, text, what it is filtered by, and its place in the corpus', () => {
    expect(entryTextOf(source(), settings)).toEqual({
      documentId: 'd',
      tenantId: 't',
      knowledgeBaseId: 'k',
      knowledgeType: 'alarm',
      project: 'billing',
      equipment: 'F5',
      errorCodes: ['E1', 'E2'],
      title: '网关 502',
      body: 'gateway E_CONN_RESET',
      createdAt: 1_700_000_000_000,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/)
    })
  })

  it('has no fields for what is not known', () => {
    const entry = entryTextOf(source({}, { attributes: { errorCodes: [] } }), settings)
    expect(Object.keys(entry)).not.toContain('project')
    expect(Object.keys(entry)).not.toContain('equipment')
    expect(entry).toMatchObject({ knowledgeType: 'experience', errorCodes: [] })
  })

  it('has another hash when anything that it is made of is another, and the same when nothing is', () => {
    const { attributes } = source().document
    const hash = (of: EntrySource, with_ = settings) => entryTextOf(of, with_).contentHash
    const others = [
      hash(source({ documentId: 'e' })),
      hash(source({ tenantId: 'u' })),
      hash(source({ knowledgeBaseId: 'l' })),
      hash(source({ createdAt: 1 })),
      hash(source({ version: 4 })),
      hash(source({ contentHash: 'other vectors' })),
      hash(source({}, { title: 'other' })),
      hash(source({}, { text: 'other' })),
      hash(source({}, { attributes: { ...attributes, knowledgeType: 'setup' } })),
      hash(source({}, { attributes: { ...attributes, project: 'F5', equipment: 'billing' } })),
      hash(source({}, { attributes: { ...attributes, equipment: 'none' } })),
      hash(source({}, { attributes: { ...attributes, errorCodes: ['E1', 'E2', 'E3'] } })),
      hash(source({}, { attributes: { ...attributes, errorCodes: ['E1E2'] } })),
      hash(source(), { ...settings, knowledgeTypes: ['setup', 'experience'] })
    ]
    expect(new Set([...others, hash(source())]).size).toBe(15)
    // A type that is not configured is the default one: the entry is the same.
    const unknown = source({}, { attributes: { ...attributes, knowledgeType: 'runbook' } })
    const named = source({}, { attributes: { ...attributes, knowledgeType: 'experience' } })
    expect(hash(unknown)).toBe(hash(named))
    expect(hash(source({ source: 'moved.md', metadata: { a: 1 } }))).toBe(hash(source()))
  })

  it('has the direction that its chunks have in common', () => {
    const entry = entryTextOf(source(), settings)
    const { vector } = withVector(entry, [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0)])
    expect([...vector!]).toEqual([Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2), 0])
    expect(withVector(entry, [])).toEqual(entry)
  })
})

describe('the mean of vectors', () => {
  it('has length 1 and is nearer to all of them together than any of them is', () => {
    const random = new Random(7)
    const vectors = Array.from({ length: 300 }, () => unitVector(64, random))
    const mean = meanVector(vectors)!
    const together = (one: Float32Array) => vectors.reduce((sum, vector) => sum + dot(one, vector), 0)
    expect(Math.abs(dot(mean, mean) - 1)).toBeLessThan(1e-6)
    expect(vectors.every((vector) => together(vector) < together(mean))).toBe(true)
  })

  it('of one vector is that vector, and of opposite ones there is none', () => {
    const one = Float32Array.of(0.6, 0.8)
    expect([...meanVector([one])!].map((value) => value.toFixed(6))).toEqual(['0.600000', '0.800000'])
    expect(meanVector([Float32Array.of(1, 0), Float32Array.of(-1, 0)])).toBe(undefined)
    expect(meanVector([Float32Array.of(0.3, 0.7), Float32Array.of(-0.3, -0.7)])).toBe(undefined)
    expect(meanVector([])).toBe(undefined)
  })
})

describe('what a document is filtered by', () => {
  it('is the default type, with a warning, when it names one that is not configured', () => {
    const { knowledgeType, warnings } = searchableAttributes({ knowledgeType: 'runbook', errorCodes: [] }, settings)
    expect([knowledgeType, warnings]).toEqual([
      'experience',
      ['its knowledge type "runbook" is none of alarm, setup, experience; it is searched as experience']
    ])
    expect(searchableAttributes({ errorCodes: [] }, settings)).toEqual({
      knowledgeType: 'experience',
      errorCodes: [],
      warnings: []
    })
  })

  it('leaves out, with a warning, what nobody could ask for', () => {
    const codes = Array.from({ length: 70 }, (_, at) => `E${at}`)
    const found = searchableAttributes(
      { project: 'p'.repeat(1_001), equipment: 'q'.repeat(1_000), errorCodes: ['x'.repeat(1_001), 'E0', '', ...codes] },
      settings
    )
    expect(found.project).toBe(undefined)
    expect(found.equipment).toHaveLength(1_000)
    expect(found.errorCodes).toEqual(codes.slice(0, 64))
    expect(found.warnings).toEqual([
      'its project has 1001 characters, more than can be searched by',
      '7 of its 71 error codes are not searched by: they are too many, too long or hold half a character'
    ])
  })

  it('leaves out, with a warning, half a character, which no engine outside keeps', () => {
    const given = { project: 'a\ud800b', equipment: '\udc00', errorCodes: ['E\ud800', 'E1'] }
    const { warnings, ...rest } = searchableAttributes(given, settings)
    expect(rest).toEqual({ knowledgeType: 'experience', errorCodes: ['E1'] })
    expect(warnings).toEqual([
      'its project holds half a character, and is not searched by',
      'its equipment holds half a character, and is not searched by',
      '1 of its 2 error codes are not searched by: they are too many, too long or hold half a character'
    ])
  })
})
