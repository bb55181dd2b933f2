import { join } from 'node:path'
import { openSearchEngineIndex } from '@oncall-agent/engines/opensearch'
import { DEFAULT_KNOWLEDGE_TYPES, tokenize } from '@oncall-agent/retrieval'
import type { StructuredAnswer, StructuredHit, StructuredIndex } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingTool } from '../../scripts/services/opensearch/required-tools.ts'
import { type RunningOpenSearch, startOpenSearch } from '../../scripts/services/opensearch/start-opensearch.ts'
import { temporaryFolder } from '../oncall.ts'
import type { Reference } from './test-support/ask.ts'
import { type Collection, pairsOf, streamOf } from './test-support/collection.ts'
import { askAll, compareAll, referAll, type Tally } from './test-support/compare-all.ts'
import { fillEmbedded, fingerprint } from './test-support/fill-engines.ts'
import { generatedCollection } from './test-support/generated-collection.ts'
import { makeSearches } from './test-support/make-searches.ts'
import { OracleIndex, type OracleOptions } from './test-support/oracle-index.ts'
import { areSetsPresent, realCollection, realNames } from './test-support/real-collections.ts'
import type { SearchCase } from './test-support/search-case.ts'

const knowledgeTypes = DEFAULT_KNOWLEDGE_TYPES
/** Tokens up to which Lucene keeps the length of a field exactly. */
const EXACT_LENGTH = 39
/** What its graph must find of the nearest of a few thousand documents; it looks at a hundred and more. */
const NEAREST_SHARE = 0.98

const java = await missingTool()
const withoutJava = java === undefined ? '' : ` (${java})`
const withoutSets = areSetsPresent ? '' : ' (needs the judged sets of ../shared)'
const collections: readonly (readonly [string, () => Collection])[] = [
  ['generated documents', () => generatedCollection(1)],
  ['generated documents with short fields', () => generatedCollection(2, { longest: EXACT_LENGTH })],
  ...realNames.map((name) => [`real documents, ${name}${withoutSets}`, () => realCollection(name)] as const)
]

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let node: RunningOpenSearch | undefined
beforeAll(async () => {
  folder = await temporaryFolder()
  if (java === undefined) node = await startOpenSearch()
}, 300_000)
afterAll(async () => {
  await node?.stop()
  await folder.remove()
})

describe.each(collections)('over %s', (name, load) => {
  const isAbsent = name.endsWith(')')
  let collection: Collection
  let searches: readonly SearchCase[]
  /** By the oracle, with the contract's own statistics and lengths. */
  let contract: readonly Reference[]
  let embedded: readonly StructuredAnswer[]
  beforeAll(async () => {
    if (isAbsent) return
    collection = load()
    searches = makeSearches(collection)
    contract = await referAll(await oracleOf(collection, 'exact', 'scope'), searches)
  })

  it.skipIf(isAbsent)('the embedded engine answers as the oracle does, in its order and to the score', async () => {
    const index = await fillEmbedded(join(folder.path, collection.name), collection)
    try {
      embedded = await askAll(index.structured, searches)
    } finally {
      await index.close()
    }
    const compared = { collection, searches, answers: embedded, references: contract }
    const { faults, tally } = compareAll(compared, () => true)
    expect(faults).toEqual([])
    expectMuch(tally)
    expect(tally.ranked).toBe(tally.hits)
  })

  describe.skipIf(isAbsent || java !== undefined)(`OpenSearch${withoutJava}`, () => {
    let answers: readonly StructuredAnswer[]
    beforeAll(async () => {
      const options = { engine: 'opensearch', url: node!.url, fingerprint, replicas: 0, timeoutMs: 60_000 } as const
      const index = openSearchEngineIndex(options)
      try {
        await index.rebuild(streamOf(collection.entries))
        answers = await askAll(index, searches)
      } finally {
        await index.close()
      }
    })

    it('answers with the same statuses, totals, facets and documents', () => {
      const { faults, tally } = compareAll({ collection, searches, answers, references: contract }, () => false)
      expect(faults).toEqual([])
      expectMuch(tally)
    })

    it('ranks and scores as the statistics of all that it holds and the lengths of Lucene say', async () => {
      const references = await referAll(await oracleOf(collection, 'lucene', 'engine'), searches)
      const { faults, tally } = compareAll({ collection, searches, answers, references }, isByKeywords)
      expect(faults).toEqual([])
      expect(tally.ranked).toBeGreaterThan(1_000)
    })

    it('answers as the embedded engine does, to the score where statistics and lengths are the same', () => {
      const references = contract.map(({ all }, at) => ({ expected: embedded[at]!, all }))
      const areShort = collection.entries.every(({ title, body }) => isShort(title) && isShort(body))
      const isSame = (search: SearchCase, answer: StructuredAnswer): boolean =>
        areShort && isOfEverything(search, collection) && isByKeywords(search, answer)
      const { faults, tally } = compareAll({ collection, searches, answers, references }, isSame)
      expect(faults).toEqual([])
      expect(tally.ranked > 500).toBe(areShort)
    })

    it('finds nearly all of the true nearest by meaning', () => {
      const byMeaning = embedded.flatMap(({ status, hits }, at) =>
        status === 'vector_only' ? hits.map((hit) => answers[at]!.hits.some((other) => isSameDocument(hit, other))) : []
      )
      expect(byMeaning.length).toBeGreaterThan(200)
      expect(byMeaning.filter(Boolean).length / byMeaning.length).toBeGreaterThan(NEAREST_SHARE)
    })
  })
})

/** By meaning OpenSearch is approximate. */
function isByKeywords(_: SearchCase, { status }: StructuredAnswer): boolean {
  return status !== 'vector_only'
}

/** Then the statistics of the scope are those of all that the engine holds. */
function isOfEverything({ request, pairs }: SearchCase, collection: Collection): boolean {
  const readable = new Set(pairs.map((pair) => `${pair.tenantId}/${pair.knowledgeBaseId}`))
  const isWhole = pairsOf(collection).every((pair) => readable.has(`${pair.tenantId}/${pair.knowledgeBaseId}`))
  return request.knowledge_type === undefined && isWhole
}

function isShort(text: string): boolean {
  return tokenize(text).length <= EXACT_LENGTH
}

function isSameDocument({ document: left }: StructuredHit, { document: right }: StructuredHit): boolean {
  return left.documentId === right.documentId && left.knowledgeBaseId === right.knowledgeBaseId
}

async function oracleOf(
  { entries }: Collection,
  lengths: OracleOptions['lengths'],
  statistics: OracleOptions['statistics']
): Promise<StructuredIndex> {
  const oracle = new OracleIndex({ knowledgeTypes, lengths, statistics })
  await oracle.rebuild(streamOf(entries))
  return oracle
}

/** Every status, truncated facets, whole answers and parts of one, often enough. */
function expectMuch({ statuses, hits, complete, truncatedFacets }: Tally): void {
  expect(Object.keys(statuses).toSorted()).toEqual(['loose_hit', 'no_hit', 'strict_hit', 'too_many', 'vector_only'])
  for (const [status, answers] of Object.entries(statuses)) expect(answers, status).toBeGreaterThan(10)
  expect(hits).toBeGreaterThan(1_000)
  expect(complete).toBeGreaterThan(20)
  expect(truncatedFacets).toBeGreaterThan(10)
}
