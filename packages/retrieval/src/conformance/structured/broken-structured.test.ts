import { describe, expect, it } from 'vitest'
import type * as ports from '../../ports/index.ts'
import { DEFAULT_KNOWLEDGE_TYPES } from '../../structured/index.ts'
import { failingCases } from '../../test-material/failing-cases.ts'
import type { DeclaredAbilities } from './index.ts'
import { describeStructuredIndex, MemoryStructuredIndex } from './index.ts'

const EVERY_PAIR = [
  { tenantId: 'tenant', knowledgeBaseId: 'kb' },
  { tenantId: 'stranger', knowledgeBaseId: 'kb' }
]

type Match = MemoryStructuredIndex['match']
type MatchRequest = ports.MatchRequest

/** A memory index whose match is asked something else, or answers something else. */
function withMatch(fault: (match: Match, request: MatchRequest) => ReturnType<Match>): typeof MemoryStructuredIndex {
  return class extends MemoryStructuredIndex {
    override async match(request: MatchRequest, signal?: AbortSignal): ReturnType<Match> {
      return fault((other) => super.match(other, signal), request)
    }
  }
}

const faults: Readonly<Record<string, typeof MemoryStructuredIndex>> = {
  'takes no readable pair for all of them': withMatch((match, request) =>
    match(request.pairs.length === 0 ? { ...request, pairs: EVERY_PAIR } : request)
  ),
  'looks at knowledge bases by name, whatever the tenant': withMatch((match, request) =>
    match({ ...request, pairs: [...request.pairs, ...EVERY_PAIR] })
  ),
  'cuts the page before it rescores': withMatch(async (match, request) => {
    const { rescore } = request
    if (rescore === undefined) return match(request)
    return match({ ...request, rescore: { ...rescore, window: Math.min(rescore.window, request.size) } })
  }),
  'leaves hits behind the window with their whole BM25': withMatch(async (match, request) => {
    const { total, hits } = await match(request)
    const whole = hits.map((hit) => (hit.vectorPart === 0 ? { ...hit, score: hit.bm25 } : hit))
    return { total, hits: whole.toSorted((left, right) => right.score - left.score) }
  }),
  'takes a missing vector for a right angle': withMatch(async (match, request) => {
    const { total, hits } = await match(request)
    if (request.rescore === undefined) return { total, hits }
    return { total, hits: hits.map((hit) => (hit.vectorPart === 0 ? { ...hit, vectorPart: 1 } : hit)) }
  }),
  'counts only the page': withMatch(async (match, request) => {
    const { hits } = await match(request)
    return { total: hits.length, hits }
  }),
  'stops at the first keywords': withMatch((match, request) =>
    match({ ...request, clauses: request.clauses.slice(0, 2) })
  ),
  'rounds the loose share down': withMatch((match, request) => {
    const clauses = request.clauses.map(({ tokens, minimum }) => ({
      tokens,
      minimum: minimum < tokens.length ? Math.max(1, minimum - 1) : minimum
    }))
    return match({ ...request, clauses })
  }),
  'takes a keyword without tokens for none': withMatch((match, request) =>
    match({ ...request, clauses: request.clauses.filter((clause) => clause.tokens.length > 0) })
  ),
  'puts equal scores in the order of their ids': withMatch(async (match, request) => {
    const { total, hits } = await match({ ...request, from: 0, size: 1e6 })
    const sorted = hits.toSorted(
      (left, right) => right.score - left.score || (left.document.documentId < right.document.documentId ? -1 : 1)
    )
    return { total, hits: sorted.slice(request.from, request.from + request.size) }
  }),
  'lets filters into its statistics': class extends MemoryStructuredIndex {
    override async match(request: MatchRequest, signal?: AbortSignal): ReturnType<Match> {
      const narrow = new MemoryStructuredIndex({ dimension: 32, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
      for (const { entry } of this.selected(request)) await narrow.replaceDocument(entry)
      return narrow.match(request, signal)
    }
  },
  'lets the whole index into its statistics': class extends MemoryStructuredIndex {
    override matching(request: MatchRequest, titleBoost: number): ReturnType<MemoryStructuredIndex['matching']> {
      const pairs = [...request.pairs, ...EVERY_PAIR, { tenantId: 'tenant', knowledgeBaseId: 'kb-other' }]
      const all = super.matching({ ...request, pairs }, titleBoost)
      const inside = new Set(this.selected(request))
      return request.pairs.length === 0 ? [] : all.filter(({ stored }) => inside.has(stored))
    }
  },
  'wants all error codes': class extends MemoryStructuredIndex {
    override passes(entry: ports.StructuredEntry, { errorCodes = [], ...filters }: ports.StructuredFilters): boolean {
      return super.passes(entry, filters) && errorCodes.every((code) => entry.errorCodes.includes(code))
    }
  },
  'compares filters without case': class extends MemoryStructuredIndex {
    override passes(entry: ports.StructuredEntry, { project, ...filters }: ports.StructuredFilters): boolean {
      const isSame = project === undefined || entry.project?.toLowerCase() === project.toLowerCase()
      return isSame && super.passes(entry, filters)
    }
  },
  'counts facets over the whole scope': class extends MemoryStructuredIndex {
    override facets(request: ports.FacetRequest, signal?: AbortSignal): Promise<ports.StructuredFacets> {
      return super.facets({ ...request, mode: 'all', clauses: [] }, signal)
    }
  },
  'counts truncated values instead of their documents': class extends MemoryStructuredIndex {
    override async facets(request: ports.FacetRequest, signal?: AbortSignal): Promise<ports.StructuredFacets> {
      const [cut, all] = [await super.facets(request, signal), await super.facets({ ...request, buckets: 1e6 }, signal)]
      const values = request.fields.map((field) => {
        const { buckets } = cut[field]!
        return [field, { buckets, truncated: all[field]!.buckets.length - buckets.length }]
      })
      return Object.fromEntries(values)
    }
  },
  'filters the nearest afterwards': class extends MemoryStructuredIndex {
    override async nearest(request: ports.NearestRequest, signal?: AbortSignal): ReturnType<Match> {
      const { hits } = await super.nearest({ ...request, filters: {} }, signal)
      const inside = hits.filter(({ document }) => this.passes(document, request.filters))
      return { total: inside.length, hits: inside }
    }
  },
  'deletes before it writes the new entry': class extends MemoryStructuredIndex {
    override async replaceDocument(entry: ports.StructuredEntry): Promise<void> {
      await this.deleteDocument(entry, entry.documentId)
      await new Promise(setImmediate)
      await super.replaceDocument(entry)
    }
  },
  'deletes by id alone': class extends MemoryStructuredIndex {
    override deleteDocument(_: ports.ReadablePair, documentId: string): Promise<boolean> {
      return super.deleteDocument({ tenantId: 'tenant', knowledgeBaseId: 'kb' }, documentId)
    }
  },
  'rebuilds in place': class extends MemoryStructuredIndex {
    override async rebuild(entries: AsyncIterable<ports.StructuredEntry>): Promise<void> {
      await super.rebuild(emptyStream())
      for await (const entry of entries) await this.replaceDocument(entry)
    }
  },
  'answers empty when it is closed': class extends MemoryStructuredIndex {
    override async match(request: MatchRequest, signal?: AbortSignal): ReturnType<Match> {
      signal?.throwIfAborted()
      return super.match(request, signal).catch(() => ({ total: 0, hits: [] }))
    }
  },
  'finds what it should leave out': withMatch((match, request) => match({ ...request, without: [] })),
  'leaves out after it has cut the page': withMatch(async (match, { without = [], ...request }) => {
    const { total, hits } = await match(request)
    const left = hits.filter(({ document }) => !without.includes(document.documentId))
    return { total: total - hits.length + left.length, hits: left }
  }),
  'counts facets of what it should leave out': class extends MemoryStructuredIndex {
    override facets(request: ports.FacetRequest): Promise<ports.StructuredFacets> {
      return super.facets({ ...request, without: [] })
    }
  },
  'leaves out after it has found the nearest': class extends MemoryStructuredIndex {
    override async nearest({ without = [], ...request }: ports.NearestRequest): ReturnType<Match> {
      const { hits } = await super.nearest(request)
      const left = hits.filter(({ document }) => !without.includes(document.documentId))
      return { total: left.length, hits: left }
    }
  },
  'goes on when the caller has left': class extends MemoryStructuredIndex {
    override match(request: MatchRequest): ReturnType<Match> {
      return super.match(request)
    }
  }
}

async function* emptyStream(): AsyncGenerator<ports.StructuredEntry> {
  // Nothing to yield.
}

function failuresOf(
  Index: typeof MemoryStructuredIndex,
  abilities: Partial<DeclaredAbilities> = {}
): Promise<string[]> {
  const create = async (): Promise<MemoryStructuredIndex> =>
    new Index({ dimension: 32, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
  // One round: a fault has to be caught by a case that names it, not only by the comparison with brute force.
  return failingCases((test) => describeStructuredIndex(test, create, { rounds: 1, abilities }))
}

const COMPARISON = 'answers as brute force does, over generated collections'

describe('the suite of structured search catches an index that', () => {
  it.each(Object.entries(faults))('%s', async (_, Index) => {
    const failing = await failuresOf(Index)
    expect(failing.filter((name) => name !== COMPARISON)).not.toEqual([])
  })

  it('declares more than the suite was told', async () => {
    const failing = await failuresOf(MemoryStructuredIndex, { statistics: 'engine' })
    expect(failing).toEqual([
      'declares the default types, a width, a window and the abilities that this suite was told'
    ])
  })
})
