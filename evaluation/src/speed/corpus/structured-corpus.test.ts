import { DEFAULT_KNOWLEDGE_TYPES } from '@oncall-agent/retrieval'
import { askStructured, MemoryStructuredIndex } from '@oncall-agent/retrieval/conformance'
import { describe, expect, it } from 'vitest'
import { structuredCorpus } from './structured-corpus.ts'

const documents = 300
const dimension = 16
const corpus = structuredCorpus(documents, dimension)

describe('the corpus of structured search', () => {
  it('has documents with both languages, an error code of their own text and a vector, the same each time', () => {
    const again = structuredCorpus(documents, dimension)
    for (const number of [0, 1, 299]) {
      const entry = corpus.entry(number)
      expect(again.entry(number)).toEqual(entry)
      expect(entry.body).toMatch(/[a-z]{2}[^]*\p{Script=Han}{10}|\p{Script=Han}{10}[^]*[a-z]{2}/u)
      expect(entry.body).toContain(entry.errorCodes[0])
      expect(entry.vector).toHaveLength(dimension)
    }
    expect(corpus.pairs).toContainEqual(expect.objectContaining({ knowledgeBaseId: corpus.entry(7).knowledgeBaseId }))
  })

  it('has searches of every status', async () => {
    const index = new MemoryStructuredIndex({ dimension, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
    for (let number = 0; number < documents; number++) await index.replaceDocument(corpus.entry(number))
    const statuses: string[] = []
    for (let number = 0; number < 30; number++) {
      statuses.push((await askStructured(index, corpus.search(number), { pairs: corpus.pairs })).status)
    }
    expect([...new Set(statuses)].toSorted()).toEqual(['loose_hit', 'strict_hit', 'too_many', 'vector_only'])
  })
})
