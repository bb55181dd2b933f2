import { looseClause, strictClause } from '@oncall-agent/retrieval'
import type { StructuredIndex } from '@oncall-agent/retrieval'
import { entryOf } from '@oncall-agent/retrieval/conformance'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pairKey } from './indices/index.ts'
import { openSearchEngineIndex } from './index.ts'
import type { SearchEngineOptions } from './index.ts'
import { fingerprint, streamOf } from './test-support/engine-for-tests.ts'
import { elasticsearchVersion, idleEngine, nothingFound, openSearchVersion } from './test-support/idle-engine.ts'
import { scriptedEngine } from './test-support/scripted-engine.ts'
import type { Recorded, ScriptedEngine } from './test-support/scripted-engine.ts'

const pair = { tenantId: 't', knowledgeBaseId: 'k' }
const narrow = { ...fingerprint, dimension: 2 }
const vector = Float32Array.of(3, 4)
const unit = [0.6, 0.8]
const noProjects = { project: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] } }
const scope = { terms: { pair: [pairKey(pair)] } }

let server: ScriptedEngine
let index: StructuredIndex
afterEach(async () => {
  await index.close()
  await server.close()
})

async function engineOf(
  engine: SearchEngineOptions['engine'],
  version: object,
  options: Partial<SearchEngineOptions> = {}
): Promise<void> {
  server = await scriptedEngine(idleEngine(version, narrow))
  index = openSearchEngineIndex({ engine, url: server.url, fingerprint: narrow, retries: 0, ...options })
  await index.rebuild(streamOf([]))
}

function requestsOf(call: RegExp): Recorded[] {
  return server.requests.filter((request) => call.test(request.call))
}

function lastOf(call: RegExp): Recorded {
  return requestsOf(call).at(-1)!
}

const near = () => index.nearest({ pairs: [pair], filters: {}, vector, k: 3, numCandidates: 100 })

/** A search of which one document is found; what the engine was asked for first and second. */
async function rescored(): Promise<{ recall: Recorded | undefined; parts: Recorded | undefined }> {
  const made = lastOf(/^PUT \/kb_alarm_v1_\d+_\w+$/).call.slice('PUT /'.length)
  const hits = {
    total: { value: 1, relation: 'eq' },
    hits: [{ _index: made, _id: 'one', _score: 2, _seq_no: 7, _source: {} }]
  }
  server.answer(({ call }) => (call.endsWith('_search') ? { ...nothingFound, hits } : undefined))
  const rescore = { vector, window: 50, weight: 0.5 }
  await index.match({ pairs: [pair], filters: {}, clauses: [], mode: 'all', titleBoost: 3, from: 0, size: 5, rescore })
  const [recall, parts] = requestsOf(/_search$/).slice(-3)
  return { recall, parts }
}

/** What both engines are asked alike. */
function sameForBoth(): void {
  test('a search is whole or fails, counts exactly, and weighs words by the statistics of all', async () => {
    const clauses = [strictClause(['disk', '磁盘']), looseClause(['a', 'b', 'c'], 0.6)]
    const filters = { project: 'p*"', errorCodes: ['E1', 'E2'], knowledgeType: 'alarm' }
    await index.match({ pairs: [pair], filters, clauses, mode: 'all', titleBoost: 3, from: 10, size: 5 })
    const { call, query, body } = lastOf(/_search$/)
    expect(call).toBe('POST /kb_alarm_v1/_search')
    expect(query).toMatchObject({ allow_partial_search_results: 'false', search_type: 'dfs_query_then_fetch' })
    expect(body).toMatchObject({
      track_total_hits: true,
      timeout: '10000ms',
      from: 10,
      size: 5,
      sort: [
        '_score',
        { created_at: 'asc' },
        { document_id: 'asc' },
        { tenant_id: 'asc' },
        { knowledge_base_id: 'asc' }
      ],
      query: {
        bool: {
          filter: [
            scope,
            { terms: { project: ['p*"'] } },
            { terms: { knowledge_type: ['alarm'] } },
            { terms: { error_codes: ['E1', 'E2'] } }
          ],
          must: [
            {
              multi_match: {
                type: 'best_fields',
                query: 'disk 磁盘',
                fields: ['title_words^3', 'body_words'],
                operator: 'or',
                minimum_should_match: 2
              }
            },
            { multi_match: { query: 'a b c', minimum_should_match: 2 } }
          ]
        }
      }
    })
  })

  test('what is left out is no word of the question: it moves no score, and facets and nearest leave it out alike', async () => {
    const selection = { pairs: [pair], filters: {}, without: ['d1', 'd2'] }
    const filter = [scope, { bool: { must_not: [{ terms: { document_id: ['d1', 'd2'] } }] } }]
    const clauses = { clauses: [strictClause(['disk'])], mode: 'all' as const }
    await index.match({ ...selection, ...clauses, titleBoost: 3, from: 0, size: 5 })
    expect(lastOf(/_search$/).body).toMatchObject({ query: { bool: { filter, must: [{ multi_match: {} }] } } })
    await index.nearest({ ...selection, vector, k: 3, numCandidates: 100 })
    expect(JSON.stringify(lastOf(/_search$/).body)).toContain(JSON.stringify(filter))
    server.answer(({ call }) => (call.endsWith('_search') ? { ...nothingFound, aggregations: noProjects } : undefined))
    await index.facets({ ...selection, ...clauses, fields: ['project'], buckets: 5 })
    expect(lastOf(/_search$/).body).toMatchObject({ query: { bool: { filter } } })
  })

  test('without a type all aliases are searched; any keyword is a choice; no tokens match nothing', async () => {
    const clauses = [strictClause(['disk']), strictClause([])]
    await index.match({ pairs: [pair], filters: {}, clauses, mode: 'any', titleBoost: 0, from: 0, size: 5 })
    const { call, body } = lastOf(/_search$/)
    expect(call).toBe('POST /kb_alarm_v1,kb_setup_v1,kb_experience_v1/_search')
    const should = [{ multi_match: { fields: ['title_words^0', 'body_words'] } }, { match_none: {} }]
    expect(body).toMatchObject({ query: { bool: { must: [{ bool: { should, minimum_should_match: 1 } }] } } })
  })

  test('one document is written under its type and deleted from the others, visibly, never into a missing index', async () => {
    await index.replaceDocument(entryOf(pair, 'd', { knowledgeType: 'setup', body: 'Disk 满', vector }))
    const { query, body } = lastOf(/_bulk$/)
    expect(query).toEqual({ require_alias: 'true', refresh: 'true', timeout: '10000ms' })
    const version = { version: expect.any(Number), version_type: 'external_gte' }
    expect(body).toEqual([
      { index: { _index: 'kb_setup_v1', _id: expect.any(String), ...version } },
      expect.objectContaining({
        pair: pairKey(pair),
        body: 'Disk 满',
        body_words: 'disk 满',
        has_vector: true,
        vector: unit
      }),
      { delete: { _index: 'kb_alarm_v1', _id: expect.any(String), ...version } },
      { delete: { _index: 'kb_experience_v1', _id: expect.any(String), ...version } }
    ])
  })

  test('a rebuild makes indices with our words and BM25, and moves every alias in one request', async () => {
    const made = requestsOf(/^PUT \/kb_\w+_v1_\d{14}_[\da-f]{8}$/)
    expect(made).toHaveLength(3)
    expect(made[0]!.body).toMatchObject({
      settings: {
        index: {
          number_of_shards: 1,
          number_of_replicas: 1,
          similarity: { default: { k1: 1.2, b: 0.75 } },
          analysis: { analyzer: { words: { tokenizer: 'white_space' } } }
        }
      },
      mappings: {
        dynamic: 'strict',
        properties: { body_words: { type: 'text', analyzer: 'words' }, project: { type: 'keyword' } }
      }
    })
    const [swap, ...more] = requestsOf(/^POST \/_aliases$/)
    expect(more).toEqual([])
    const { actions } = swap!.body as { readonly actions: readonly object[] }
    expect(actions).toHaveLength(9)
  })
}

describe('OpenSearch is asked', () => {
  beforeEach(() => engineOf('opensearch', openSearchVersion))
  sameForBoth()

  test('for vectors in a Lucene graph, and for the nearest inside the filter', async () => {
    expect(lastOf(/^PUT \/kb_alarm_v1_\d+_\w+$/).body).toMatchObject({
      settings: { index: { knn: true, similarity: { default: { type: 'BM25' } } } },
      mappings: {
        properties: {
          vector: { type: 'knn_vector', dimension: 2, method: { engine: 'lucene', space_type: 'cosinesimil' } }
        }
      }
    })
    await near()
    expect(lastOf(/_search$/).body).toMatchObject({
      size: 3,
      query: { knn: { vector: { vector: unit, k: 100, filter: { bool: { filter: [scope] } } } } }
    })
  })

  test('for the vector part of the window alone, by a script that spares documents without a vector', async () => {
    const { recall, parts } = await rescored()
    expect(recall!.body).toMatchObject({ from: 0, size: 50, _source: false })
    expect(parts!.body).toMatchObject({
      query: {
        script_score: {
          query: { ids: { values: ['one'] } },
          script: {
            source: "doc['vector'].size() == 0 ? 0 : Math.max(0, cosineSimilarity(params.vector, doc['vector']) + 1.0)",
            params: { vector: unit }
          }
        }
      }
    })
  })
})

describe('OpenSearch 3 is asked', () => {
  beforeEach(() => engineOf('opensearch', { version: { distribution: 'opensearch', number: '3.1.0' } }))

  test('for the BM25 with the factor k1 + 1, which its usual one lacks', () => {
    const { body } = lastOf(/^PUT \/kb_alarm_v1_\d+_\w+$/)
    expect(body).toMatchObject({ settings: { index: { similarity: { default: { type: 'LegacyBM25' } } } } })
  })
})

describe('Elasticsearch is asked', () => {
  beforeEach(() => engineOf('elasticsearch', elasticsearchVersion, { apiKey: 'key' }))
  sameForBoth()

  test('in plain JSON, with the key, and without what only OpenSearch knows', () => {
    for (const { headers } of server.requests) expect(headers.authorization).toBe('ApiKey key')
    const { headers, body } = lastOf(/^PUT \/kb_alarm_v1_\d+_\w+$/)
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.stringify(body)).not.toMatch(/knn/)
  })

  test('for vectors of floats in a graph, and for the nearest inside the filter', async () => {
    expect(lastOf(/^PUT \/kb_alarm_v1_\d+_\w+$/).body).toMatchObject({
      settings: { index: { similarity: { default: { type: 'BM25' } } } },
      mappings: {
        properties: {
          vector: { type: 'dense_vector', dims: 2, index: true, similarity: 'cosine', index_options: { type: 'hnsw' } }
        }
      }
    })
    await near()
    const { body } = lastOf(/_search$/)
    expect(body).toMatchObject({
      size: 3,
      knn: { field: 'vector', query_vector: unit, k: 3, num_candidates: 100, filter: [scope] }
    })
    expect(body).not.toHaveProperty('query')
  })

  test('for the vector part by its own script', async () => {
    const { parts } = await rescored()
    const source = "doc['vector'].size() == 0 ? 0 : Math.max(0, cosineSimilarity(params.vector, 'vector') + 1.0)"
    expect(parts!.body).toMatchObject({ query: { script_score: { script: { source, params: { vector: unit } } } } })
  })
})
