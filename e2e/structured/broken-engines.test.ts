import { DEFAULT_KNOWLEDGE_TYPES } from '@oncall-agent/retrieval'
import type * as ports from '@oncall-agent/retrieval'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Reference } from './test-support/ask.ts'
import { streamOf } from './test-support/collection.ts'
import { askAll, compareAll, referAll } from './test-support/compare-all.ts'
import { generatedCollection } from './test-support/generated-collection.ts'
import { makeSearches } from './test-support/make-searches.ts'
import { OracleIndex } from './test-support/oracle-index.ts'

const collection = generatedCollection(1)
const searches = makeSearches(collection)
const options = { knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES, lengths: 'exact', statistics: 'scope' } as const

type Recall = Promise<ports.StructuredRecall>

/** An engine whose match is asked something else, or answers something else. */
function withMatch(fault: (match: OracleIndex['match'], request: ports.MatchRequest) => Recall): typeof OracleIndex {
  return class extends OracleIndex {
    override match(request: ports.MatchRequest): Recall {
      return fault((other) => super.match(other), request)
    }
  }
}

const faults: Readonly<Record<string, typeof OracleIndex>> = {
  'rescores one document too few': withMatch((match, request) => {
    const { rescore } = request
    return match(rescore === undefined ? request : { ...request, rescore: { ...rescore, window: rescore.window - 1 } })
  }),
  'rescores one document too many': withMatch((match, request) => {
    const { rescore } = request
    return match(rescore === undefined ? request : { ...request, rescore: { ...rescore, window: rescore.window + 1 } })
  }),
  'adds up what a document without a vector does not have': withMatch(async (match, request) => {
    const { total, hits } = await match(request)
    const weight = request.rescore?.weight ?? 0
    return { total, hits: hits.map((hit) => (hit.vectorPart > 0 ? hit : { ...hit, score: hit.score + weight })) }
  }),
  'boosts titles a little less': withMatch((match, request) =>
    match({ ...request, titleBoost: request.titleBoost * 0.999 })
  ),
  'asks for one token fewer than the loose share': withMatch((match, request) =>
    match({
      ...request,
      clauses: request.clauses.map(({ tokens, minimum }) => ({
        tokens,
        minimum: request.mode === 'any' ? Math.max(1, minimum - 1) : minimum
      }))
    })
  ),
  'looks at the first keywords alone': withMatch((match, request) =>
    match({ ...request, clauses: request.clauses.slice(0, 10) })
  ),
  'loses the last page': withMatch((match, request) => match({ ...request, size: Math.min(request.size, 50) })),
  'gives equal scores the other way round': withMatch(async (match, request) => {
    const { total, hits } = await match({ ...request, from: 0, size: 10_000 })
    const sorted = hits.toReversed().toSorted((left, right) => right.score - left.score || right.bm25 - left.bm25)
    return { total, hits: sorted.slice(request.from, request.from + request.size) }
  }),
  'wants every error code': class extends OracleIndex {
    override passes(entry: ports.StructuredEntry, { errorCodes = [], ...rest }: ports.StructuredFilters): boolean {
      return super.passes(entry, rest) && errorCodes.every((code) => entry.errorCodes.includes(code))
    }
  },
  'compares filters without case': class extends OracleIndex {
    override passes(entry: ports.StructuredEntry, { project, ...rest }: ports.StructuredFilters): boolean {
      const isSame = project === undefined || entry.project?.toLowerCase() === project.toLowerCase()
      return isSame && super.passes(entry, rest)
    }
  },
  'counts one truncated value too few': class extends OracleIndex {
    override async facets(request: ports.FacetRequest): Promise<ports.StructuredFacets> {
      const facets = Object.entries(await super.facets(request))
      return Object.fromEntries(
        facets.map(([field, facet]) => [field, { ...facet, truncated: Math.max(0, facet.truncated - 1) }])
      )
    }
  },
  'finds by meaning what the filters exclude': class extends OracleIndex {
    override nearest(request: ports.NearestRequest): Recall {
      return super.nearest({ ...request, filters: {} })
    }
  },
  'scores nearness as half of cos + 1': class extends OracleIndex {
    override async nearest(request: ports.NearestRequest): Recall {
      const { total, hits } = await super.nearest(request)
      return { total, hits: hits.map((hit) => ({ ...hit, score: hit.score / 2 })) }
    }
  }
}

async function filled(Engine: typeof OracleIndex): Promise<OracleIndex> {
  const engine = new Engine(options)
  await engine.rebuild(streamOf(collection.entries))
  return engine
}

describe('the suite', () => {
  let references: readonly Reference[]
  beforeAll(async () => {
    references = await referAll(await filled(OracleIndex), searches)
  })

  async function faultsOf(Engine: typeof OracleIndex): Promise<readonly string[]> {
    const answers = await askAll(await filled(Engine), searches)
    return compareAll({ collection, searches, answers, references }, () => true).faults
  }

  it.each(Object.entries(faults))('catches an engine that %s', async (_, Engine) => {
    expect(await faultsOf(Engine)).not.toEqual([])
  })

  it('lets one pass that rounds as single precision does', async () => {
    const rounding = withMatch(async (match, request) => {
      const { total, hits } = await match(request)
      const rounded = hits.map((hit) => ({ ...hit, score: Math.fround(hit.score), bm25: Math.fround(hit.bm25) }))
      return { total, hits: rounded }
    })
    expect(await faultsOf(rounding)).toEqual([])
  })
})
