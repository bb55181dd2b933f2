import { searchedText, tokenize, type RerankRequest } from '@oncall-agent/retrieval'
import { embedderConformance, rerankerConformance, type RerankerHarness } from '@oncall-agent/retrieval/conformance'
import { afterAll, describe, expect, it } from 'vitest'
import { createBundledEmbedder, createBundledReranker } from './index.ts'

const test = { describe, it, expect }

// One embedder for all cases of the reranker: loading it for each would take most of the time.
const embedders = {
  with: createBundledEmbedder({ tokenVectors: true }),
  without: createBundledEmbedder({ tokenVectors: false })
}
afterAll(() => Promise.all([embedders.with.close(), embedders.without.close()]))

/** A request as the search flow makes it: the candidates are the scope. */
async function rerankerHarness(tokenVectors: boolean): Promise<RerankerHarness> {
  const embedder = tokenVectors ? embedders.with : embedders.without
  const reranker = createBundledReranker({ tokenVectors })
  const prepare = async (query: string, contents: readonly string[], topN: number): Promise<RerankRequest> => {
    const parts = contents.map((content) => ({ title: '网关手册', headingPath: ['排查'], content }))
    const texts = parts.map(searchedText)
    const tokens = texts.map((text) => new Set(tokenize(text)))
    const passages = await embedder.embedPassages(texts)
    return {
      query,
      queryEmbedding: await embedder.embedQuery(query),
      candidates: parts.map((part, i) => ({ ...part, ...passages[i]!, chunkId: `d#${i}`, metadata: {} })),
      topN,
      statistics: (terms) =>
        Promise.resolve({
          chunks: texts.length,
          averageLength: 20,
          frequency: terms.map((term) => tokens.filter((each) => each.has(term)).length)
        })
    }
  }
  return { reranker, prepare, close: () => reranker.close() }
}

describe('with token vectors', () => {
  embedderConformance(test, () => Promise.resolve(createBundledEmbedder({ tokenVectors: true })))
  rerankerConformance(test, () => rerankerHarness(true))
})
describe('without token vectors', () => {
  embedderConformance(test, () => Promise.resolve(createBundledEmbedder({ tokenVectors: false })))
  rerankerConformance(test, () => rerankerHarness(false))
})
