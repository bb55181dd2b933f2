import { checkStructuredRequest, DEFAULT_KNOWLEDGE_TYPES, tokenize } from '@oncall-agent/retrieval'
import { MemoryStructuredIndex } from '@oncall-agent/retrieval/conformance'
import { describe, expect, it } from 'vitest'
import { ask, read, refer } from './test-support/ask.ts'
import { DIMENSION, pairsOf, streamOf } from './test-support/collection.ts'
import { generatedCollection } from './test-support/generated-collection.ts'
import { makeSearches, MOST_TOKENS } from './test-support/make-searches.ts'
import { lengthInAByte, OracleIndex } from './test-support/oracle-index.ts'
import { areSetsPresent, realCollection, realNames } from './test-support/real-collections.ts'

const generated = generatedCollection(1)
const real = areSetsPresent ? realNames.map(realCollection) : []
const knowledgeTypes = DEFAULT_KNOWLEDGE_TYPES
const share = (part: readonly unknown[], all: readonly unknown[]): number => part.length / all.length

describe('the generated collection', () => {
  const { entries } = generated
  const bodies = entries.map(({ body }) => body)
  const having = (pattern: RegExp): number => bodies.filter((body) => pattern.test(body)).length

  it('is the same each time, and holds what engines stumble over', () => {
    expect(generatedCollection(1)).toEqual(generated)
    expect(entries).toHaveLength(500)
    const traps = {
      'without a vector': entries.filter(({ vector }) => vector === undefined).length,
      'without a title': entries.filter(({ title }) => title === '').length,
      'without a body': bodies.filter((body) => body === '').length,
      'of the same text and moment as the one before': entries.filter(
        ({ body, createdAt }, at) => body !== '' && body === bodies[at - 1] && createdAt === entries[at - 1]?.createdAt
      ).length,
      'with the id of one in another knowledge base':
        entries.length - new Set(entries.map((each) => each.documentId)).size,
      'with several error codes': entries.filter(({ errorCodes }) => new Set(errorCodes).size > 1).length,
      'with one code twice': entries.filter(({ errorCodes: codes }) => new Set(codes).size < codes.length).length,
      'with an identifier glued to Chinese': having(/\p{Script=Han}[A-Z]\w+|\w[a-z]\p{Script=Han}/u),
      'with a Chinese word of one character': having(/(^|[ ，])[卡慢满挂]([ ，]|$)/u),
      'in Chinese alone': having(/^[\p{Script=Han} ，]+$/u),
      'in English alone': having(/^[a-z ，]+$/),
      'of more tokens than Lucene counts exactly': bodies.filter((body) => tokenize(body).length > 39).length,
      'of more than 1,000 tokens': bodies.filter((body) => tokenize(body).length > 1_000).length,
      'with a word of more than 255 characters': having(/\w{256}/)
    }
    for (const [trap, documents] of Object.entries(traps)) expect(documents, trap).toBeGreaterThan(2)
  })

  it('has more projects, equipment and codes than a facet shows', () => {
    const values = [
      new Set(entries.map(({ project }) => project)),
      new Set(entries.map(({ equipment }) => equipment)),
      new Set(entries.flatMap(({ errorCodes }) => errorCodes))
    ]
    for (const { size } of values) expect(size).toBeGreaterThan(22)
  })
})

describe('the real collections', () => {
  it('have their fields from their own ids and texts', (context) => {
    if (!areSetsPresent) context.skip('no sibling ../shared with the judged sets')
    expect(real.map(({ entries }) => entries.length)).toEqual([447, 2195, 1194])
    const [runbooks, connectors, database] = real.map(({ entries }) => entries)
    for (const entries of [runbooks!, connectors!, database!]) {
      expect(
        share(
          entries.filter(({ equipment }) => equipment !== undefined),
          entries
        )
      ).toBeGreaterThan(0.5)
      for (const { errorCodes, title, body } of entries) {
        expect(errorCodes.filter((code) => !`${title} ${body}`.includes(code))).toEqual([])
      }
    }
    expect(
      share(
        runbooks!.filter(({ errorCodes }) => errorCodes.length > 0),
        runbooks!
      )
    ).toBeGreaterThan(0.5)
    expect(connectors!.filter(({ errorCodes }) => errorCodes.length > 0).length).toBeGreaterThanOrEqual(130)
    expect(database!.filter(({ errorCodes }) => errorCodes.length > 0).length).toBeGreaterThan(100)
    expect(
      share(
        database!.filter(({ body }) => /\p{Script=Han}/u.test(body)),
        database!
      )
    ).toBeGreaterThan(0.7)
  })
})

describe('the searches', () => {
  it('reach the most tokens that a request may have, and one more is refused', () => {
    const { request, pairs } = makeSearches(generated).find(({ kind }) => kind === 'as many tokens as there may be')!
    const tokens = request.keywords!.flatMap((keyword) => [...new Set(tokenize(keyword))])
    expect(tokens).toHaveLength(MOST_TOKENS)
    const one = { ...request, keywords: [...request.keywords!, 'another'] }
    const bounds = { pairs, knowledgeTypes, maxResultWindow: 10_000 }
    expect(checkStructuredRequest(request, bounds).fault).toBeUndefined()
    expect(checkStructuredRequest(one, bounds).fault).toMatchObject({ field: 'keywords' })
  })
})

describe('the oracle', () => {
  it('answers as the memory index of the conformance suite does', async () => {
    const oracle = new OracleIndex({ knowledgeTypes, lengths: 'exact', statistics: 'scope' })
    const plain = new MemoryStructuredIndex({ dimension: DIMENSION, knowledgeTypes })
    for (const index of [oracle, plain]) await index.rebuild(streamOf(generated.entries))
    for (const search of makeSearches(generated).slice(0, 100)) {
      const asked = read(search, knowledgeTypes)
      const { expected } = await refer(oracle, asked)
      const { stages: _, ...answer } = await ask(plain, asked)
      expect({ search, ...expected, stages: 0 }).toEqual({ search, ...answer, stages: 0 })
    }
  })

  it('keeps of a length what Lucene keeps: all below 40, then every second, fourth, eighth', () => {
    const below = Array.from({ length: 40 }, (_, length) => length)
    expect(below.map(lengthInAByte)).toEqual(below)
    expect([40, 41, 55, 57, 63, 64, 87, 89, 1_000, 1_047].map(lengthInAByte)).toEqual([
      40, 40, 54, 56, 60, 64, 84, 88, 984, 984
    ])
  })

  it("scores long documents otherwise with Lucene's lengths, and short ones alike", async () => {
    const scores = new Map<string, number[]>()
    for (const lengths of ['exact', 'lucene'] as const) {
      const oracle = new OracleIndex({ knowledgeTypes, lengths, statistics: 'scope' })
      await oracle.rebuild(streamOf(generated.entries))
      const search = {
        kind: '',
        request: { keywords: ['disk'], mode: 'loose' },
        pairs: pairsOf(generated),
        settings: {}
      }
      const { all } = await refer(oracle, read(search, knowledgeTypes))
      for (const { document, bm25 } of all) {
        const key = `${document.documentId} ${document.knowledgeBaseId} ${tokenize(document.body).length}`
        scores.set(key, [...(scores.get(key) ?? []), bm25])
      }
    }
    const differing = [...scores]
      .filter(([, [exact, lucene]]) => exact !== lucene)
      .map(([key]) => Number(key.split(' ')[2]))
    expect(differing.length).toBeGreaterThan(5)
    expect(Math.min(...differing)).toBeGreaterThan(39)
    expect(differing.length).toBeLessThan(scores.size)
  })
})
