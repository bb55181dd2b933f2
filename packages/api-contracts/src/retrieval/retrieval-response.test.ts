import { describe, expect, test } from 'vitest'
import { citationSchema, evidenceHitSchema, retrievalResponseSchema } from './retrieval-response.ts'

const scores = ['score', 'vectorRank', 'bm25Rank', 'rerankRank', 'vectorScore', 'bm25Score', 'rrfScore', 'rerankScore']
const fieldsOf = (schema: { unwrap(): { shape: object } }): string[] => Object.keys(schema.unwrap().shape).toSorted()

describe('a retrieval response', () => {
  test('has the fields of contract 1 and no others', () => {
    expect(fieldsOf(retrievalResponseSchema)).toEqual(['citations', 'query', 'results', 'runId', 'stages', 'topK'])
  })

  test('has hits with the fields of contract 1 and no others', () => {
    const own = ['chunkId', 'documentId', 'knowledgeBaseId', 'ownerUserId', 'tenantId', 'content', 'source', 'metadata']
    expect(fieldsOf(evidenceHitSchema)).toEqual([...own, ...scores].toSorted())
  })

  test('has citations with the fields of contract 1 and no others', () => {
    const own = ['id', 'title', 'sourceType', 'excerpt', 'documentId', 'knowledgeBaseId', 'headingPath', 'start', 'end']
    expect(fieldsOf(citationSchema)).toEqual([...own, ...scores].toSorted())
  })

  test('tells a stage that did not return a chunk by null, never by rank 0', () => {
    const rank = citationSchema.unwrap().shape.vectorRank
    expect([rank.safeParse(null).success, rank.safeParse(0).success, rank.safeParse(1).success]).toEqual([
      true,
      false,
      true
    ])
  })
})
