import { isRecord } from '../connection/index.ts'
import { bm25Similarity, majorOf } from './dialect.ts'
import type { Dialect } from './dialect.ts'

/** From this version on `BM25` lacks the factor k1 + 1, which the weight beside the vector part rests on. */
const MAJOR_WITHOUT_FACTOR = 3

/** OpenSearch 2 and later with its k-NN plugin, which its distribution brings along. */
export const openSearchDialect: Dialect = {
  name: 'OpenSearch',
  requirement: 'OpenSearch 2 or later',
  serverOf: ({ body }) => {
    const version = isRecord(body) && isRecord(body['version']) ? body['version'] : {}
    const major = majorOf(version['number'])
    return version['distribution'] === 'opensearch' && major >= 2 ? { major } : null
  },
  indexSettings: ({ major }) => ({
    knn: true,
    similarity: bm25Similarity(major >= MAJOR_WITHOUT_FACTOR ? 'LegacyBM25' : 'BM25')
  }),
  vectorMapping: (dimension) => ({
    type: 'knn_vector',
    dimension,
    // Without a method the plugin takes a native library, whose filters come after the search.
    method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' }
  }),
  // `k` of a shard is how many its graph is searched for; `size` then cuts the union.
  nearestBody: ({ vector, k, candidates, filter }) => ({
    size: k,
    query: { knn: { vector: { vector, k: candidates, filter: { bool: { filter } } } } }
  }),
  vectorPartScript: "doc['vector'].size() == 0 ? 0 : Math.max(0, cosineSimilarity(params.vector, doc['vector']) + 1.0)"
}
