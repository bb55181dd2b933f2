import { isRecord } from '../connection/index.ts'
import { bm25Similarity, majorOf } from './dialect.ts'
import type { Dialect } from './dialect.ts'

/** Elasticsearch says in every answer of its own that it is one; what only looks like it does not. */
const PRODUCT_HEADER = 'x-elastic-product'

/**
 * Elasticsearch 8 and later. Never run against the real one in this repository's tests: it is held to the shapes of its
 * requests. It is asked in plain JSON, which it answers in plain JSON.
 */
export const elasticsearchDialect: Dialect = {
  name: 'Elasticsearch',
  requirement: 'Elasticsearch 8 or later',
  serverOf: ({ body, headers }) => {
    const version = isRecord(body) && isRecord(body['version']) ? body['version'] : {}
    const major = majorOf(version['number'])
    return headers[PRODUCT_HEADER] === 'Elasticsearch' && major >= 8 ? { major } : null
  },
  indexSettings: () => ({ similarity: bm25Similarity('BM25') }),
  vectorMapping: (dimension) => ({
    type: 'dense_vector',
    dims: dimension,
    index: true,
    similarity: 'cosine',
    // Later versions would else keep bytes instead of floats.
    index_options: { type: 'hnsw' }
  }),
  nearestBody: ({ vector, k, candidates, filter }) => ({
    size: k,
    knn: { field: 'vector', query_vector: vector, k, num_candidates: candidates, filter }
  }),
  vectorPartScript: "doc['vector'].size() == 0 ? 0 : Math.max(0, cosineSimilarity(params.vector, 'vector') + 1.0)"
}
