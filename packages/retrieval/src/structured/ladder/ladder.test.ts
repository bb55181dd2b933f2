import { describe, expect, it } from 'vitest'
import { entryOf, MemoryStructuredIndex, pairOf, vectorOfText } from '../../conformance/index.ts'
import type { EntryDraft } from '../../conformance/index.ts'
import { PortError } from '../../ports/index.ts'
import type { MatchRequest, NearestRequest, StructuredHit } from '../../ports/index.ts'
import { checkStructuredRequest, DEFAULT_KNOWLEDGE_TYPES, DEFAULT_STRUCTURED_SETTINGS } from '../request/index.ts'
import type { AnswerLanguage, StructuredRequest, StructuredSettings } from '../request/index.ts'
import { searchStructured } from './index.ts'
import type { LadderParts, StructuredAnswer } from './index.ts'
import { findingOf, firstStage, nextStep } from './transitions.ts'

const DIMENSION = 8
const home = pairOf('tenant', 'kb')

/** A memory index that notes what it was asked. */
class NotingIndex extends MemoryStructuredIndex {
  readonly matches: MatchRequest[] = []
  readonly nearests: NearestRequest[] = []
  facetCalls = 0

  override match(request: MatchRequest, signal?: AbortSignal): ReturnType<MemoryStructuredIndex['match']> {
    this.matches.push(request)
    return super.match(request, signal)
  }

  override nearest(request: NearestRequest, signal?: AbortSignal): ReturnType<MemoryStructuredIndex['nearest']> {
    this.nearests.push(request)
    return super.nearest(request, signal)
  }

  override facets(...given: Parameters<MemoryStructuredIndex['facets']>): ReturnType<MemoryStructuredIndex['facets']> {
    this.facetCalls++
    return super.facets(...given)
  }
}

async function indexOf(...drafts: readonly EntryDraft[]): Promise<NotingIndex> {
  const index = new NotingIndex({ dimension: DIMENSION, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
  for (const [number, draft] of drafts.entries()) await index.replaceDocument(entryOf(home, `d${number}`, draft))
  return index
}

interface Changed {
  readonly embed?: LadderParts['embed']
  readonly settings?: Partial<StructuredSettings>
  readonly language?: AnswerLanguage
  readonly signal?: AbortSignal
  readonly pairs?: readonly (typeof home)[]
}

async function search(
  index: NotingIndex,
  request: StructuredRequest,
  changed: Changed = {}
): Promise<StructuredAnswer> {
  const settings = { ...DEFAULT_STRUCTURED_SETTINGS, ...changed.settings }
  const { question } = checkStructuredRequest(request, {
    pairs: changed.pairs ?? [home],
    knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES,
    maxResultWindow: settings.maxResultWindow,
    ...(changed.language === undefined ? {} : { language: changed.language })
  })
  let clock = 0
  const embed = changed.embed ?? (async (text: string) => vectorOfText(text, DIMENSION))
  return searchStructured(question!, { index, settings, embed, now: () => clock++ }, changed.signal)
}

const embedderDown = new PortError('unavailable', {
  operation: 'embed',
  subject: 'model',
  reason: 'it does not answer'
})

async function downEmbedder(): Promise<Float32Array> {
  throw embedderDown
}

describe('the transitions', () => {
  it.each([
    ['auto', 'strict', 'none', { goOn: 'loose' }],
    ['auto', 'strict', 'few', { end: 'strict_hit' }],
    ['auto', 'strict', 'many', { end: 'too_many' }],
    ['auto', 'loose', 'none', { goOn: 'vector_only' }],
    ['auto', 'loose', 'few', { end: 'loose_hit' }],
    ['auto', 'loose', 'many', { end: 'loose_hit' }],
    ['auto', 'vector_only', 'none', { end: 'no_hit' }],
    ['auto', 'vector_only', 'few', { end: 'vector_only' }],
    ['auto', 'vector_only', 'many', { end: 'vector_only' }],
    ['strict', 'strict', 'none', { end: 'no_hit' }],
    ['strict', 'strict', 'few', { end: 'strict_hit' }],
    ['strict', 'strict', 'many', { end: 'too_many' }],
    ['loose', 'loose', 'none', { end: 'no_hit' }],
    ['loose', 'loose', 'many', { end: 'loose_hit' }],
    ['vector_only', 'vector_only', 'none', { end: 'no_hit' }],
    ['vector_only', 'vector_only', 'many', { end: 'vector_only' }]
  ] as const)('%s: %s that found %s', (mode, stage, finding, step) => {
    expect(nextStep(mode, stage, finding)).toEqual(step)
  })

  it('begin with strict, or with the stage that the mode names', () => {
    const modes = ['auto', 'strict', 'loose', 'vector_only'] as const
    expect(modes.map(firstStage)).toEqual(['strict', 'strict', 'loose', 'vector_only'])
  })

  it('take as many as the limit for few', () => {
    expect([0, 1, 8, 9].map((total) => findingOf(total, 8))).toEqual(['none', 'few', 'few', 'many'])
  })
})

describe('the ladder', () => {
  it('tells what each stage did, in order, and stops at the first that found something', async () => {
    const index = await indexOf({ body: 'disk', vector: vectorOfText('why', DIMENSION) })
    const strict = await search(index, { keywords: ['disk'], query_text: 'why' })
    expect(strict.stages).toEqual([
      { name: 'embed', status: 'ok', found: 1, tookMs: 1 },
      { name: 'strict', status: 'ok', found: 1, tookMs: 1, rescore: 'done' }
    ])
    const vector = await search(index, { keywords: ['nowhere'], query_text: 'why' })
    expect(vector.stages.map(({ name, status, found }) => [name, status, found])).toEqual([
      ['embed', 'ok', 1],
      ['strict', 'empty', 0],
      ['loose', 'empty', 0],
      ['vector_only', 'ok', 1]
    ])
    const nothing = await search(index, { keywords: ['nowhere'] })
    expect(nothing.stages.at(-1)).toEqual({
      name: 'vector_only',
      status: 'skipped',
      found: 0,
      tookMs: 0,
      reason: 'no_query_text'
    })
  })

  it('asks for facets with too_many alone', async () => {
    const index = await indexOf({ body: 'disk', project: 'p' }, { body: 'disk' })
    const hit = await search(index, { keywords: ['disk'] })
    expect([hit.status, index.facetCalls]).toEqual(['strict_hit', 0])
    const { status, facets, stages } = await search(index, { keywords: ['disk'] }, { settings: { strictMaxHits: 1 } })
    expect([status, index.facetCalls, facets?.project]).toEqual(['too_many', 1, [{ value: 'p', count: 1 }]])
    expect(stages.at(-1)).toMatchObject({ name: 'facets', status: 'ok', found: 1 })
  })

  it('embeds once a search: the sentence, or else the keywords joined', async () => {
    const index = await indexOf({ body: 'other' })
    const embedded: string[] = []
    const embed = async (text: string): Promise<Float32Array> => {
      embedded.push(text)
      return vectorOfText(text, DIMENSION)
    }
    await search(index, { keywords: ['磁盘', 'full'], query_text: 'why' }, { embed })
    await search(index, { keywords: ['磁盘', 'full'] }, { embed })
    await search(index, {}, { embed })
    expect(embedded).toEqual(['why', '磁盘 full'])
  })

  it('does not rescore where nothing is meant, or the vector weighs nothing, and says so', async () => {
    const index = await indexOf({ body: 'disk' })
    const unmeant = await search(index, {})
    expect(unmeant.stages).toEqual([
      { name: 'strict', status: 'ok', found: 1, tookMs: 1, rescore: 'skipped', reason: 'nothing_to_embed' }
    ])
    const unweighed = await search(index, { keywords: ['disk'] }, { settings: { vectorWeight: 0 } })
    expect(unweighed.stages[0]).toMatchObject({ name: 'strict', rescore: 'skipped', reason: 'weight_is_zero' })
    expect(index.matches.map(({ rescore }) => rescore)).toEqual([undefined, undefined])
  })

  it('hands its settings to the index', async () => {
    const index = await indexOf({ body: 'alpha beta' })
    const settings = { titleBoost: 7, rrfWindow: 11, vectorWeight: 0.25, looseMinMatch: 0.5 }
    await search(index, { keywords: ['alpha x', 'y'], size: 7, from_: 2, project: 'p' }, { settings })
    const [strict, loose] = index.matches
    expect(strict).toMatchObject({ mode: 'all', titleBoost: 7, size: 7, from: 2, filters: { project: 'p' } })
    expect(strict!.rescore).toMatchObject({ window: 11, weight: 0.25 })
    expect(strict!.clauses.map(({ minimum }) => minimum)).toEqual([2, 1])
    expect([loose!.mode, ...loose!.clauses.map(({ minimum }) => minimum)]).toEqual(['any', 1, 1])
  })

  it('asks for the nearest by size, of four times as many candidates and a hundred at least', async () => {
    const index = await indexOf({ vector: vectorOfText('a', DIMENSION) }, { vector: vectorOfText('b', DIMENSION) })
    await search(index, { mode: 'vector_only', query_text: 'a', size: 10 })
    await search(index, { mode: 'vector_only', query_text: 'a', size: 50, project: 'p' })
    const second = await search(index, { mode: 'vector_only', query_text: 'a', size: 1, from_: 1 })
    expect(index.nearests.map(({ k, numCandidates }) => [k, numCandidates])).toEqual([
      [10, 100],
      [50, 200],
      [2, 100]
    ])
    expect(index.nearests[1]!.filters).toEqual({ project: 'p' })
    expect([second.status, second.total, second.hits[0]?.document.documentId]).toEqual(['vector_only', 2, 'd1'])
  })

  it('speaks Chinese unless told otherwise, word for word', async () => {
    const index = await indexOf({ body: 'disk', vector: vectorOfText('why', DIMENSION) })
    const banners = async (language?: AnswerLanguage) => {
      const changed = language === undefined ? {} : { language }
      const loose = await search(index, { keywords: ['disk', 'nowhere'] }, changed)
      const vector = await search(index, { keywords: ['nowhere'], query_text: 'why' }, changed)
      return [loose.banner, vector.banner]
    }
    const zh = [
      '没有完全匹配的知识，以下为相关参考，仅供参考。',
      '没有匹配到任何关键词，以下仅为语义相近的内容，可信度低，仅供参考。'
    ]
    expect(await banners()).toEqual(zh)
    expect(await banners('zh')).toEqual(zh)
    expect(await banners('en')).toEqual([
      'Nothing matches completely. The following is related, for reference only.',
      'No keyword matches. The following is only similar in meaning: low confidence, for reference only.'
    ])
  })
})

describe('the ladder, when parts fail,', () => {
  it('goes on without a vector when the embedder is down: same status, BM25 alone, and says so', async () => {
    const index = await indexOf({ body: 'disk disk', vector: vectorOfText('x', DIMENSION) }, { body: 'disk' })
    const whole = await search(index, { keywords: ['disk'] })
    const without = await search(index, { keywords: ['disk'] }, { embed: downEmbedder })
    expect([whole.status, without.status, without.embedderFailure]).toEqual(['strict_hit', 'strict_hit', embedderDown])
    expect(without.hits.map((hit: StructuredHit) => hit.score === hit.bm25 && hit.vectorPart === 0)).toEqual([
      true,
      true
    ])
    expect(without.stages).toEqual([
      { name: 'embed', status: 'failed', found: 0, tookMs: 1 },
      { name: 'strict', status: 'ok', found: 2, tookMs: 1, rescore: 'skipped', reason: 'embedder_down' }
    ])
    const loose = await search(index, { keywords: ['disk', 'nowhere'] }, { embed: downEmbedder })
    expect([loose.status, loose.total]).toEqual(['loose_hit', 2])
  })

  it('has no hit by meaning when the embedder is down, and asks it once', async () => {
    const index = await indexOf({ body: 'disk', vector: vectorOfText('x', DIMENSION) })
    let calls = 0
    const embed = (): Promise<Float32Array> => {
      calls++
      return downEmbedder()
    }
    const { status, total, stages, embedderFailure } = await search(
      index,
      { keywords: ['y'], query_text: 'x' },
      { embed }
    )
    expect([status, total, calls, embedderFailure]).toEqual(['no_hit', 0, 1, embedderDown])
    expect(stages.at(-1)).toMatchObject({ name: 'vector_only', status: 'skipped', reason: 'embedder_down' })
    const alone = await search(index, { mode: 'vector_only', query_text: 'x' }, { embed })
    expect(alone.status).toBe('no_hit')
  })

  it('takes nothing but a PortError for an embedder that is down', async () => {
    const index = await indexOf({ body: 'disk' })
    const fault = new TypeError('a fault of the program')
    const broken = search(index, { keywords: ['disk'] }, { embed: () => Promise.reject(fault) })
    await expect(broken).rejects.toBe(fault)
  })

  it.each(['match', 'facets', 'nearest'] as const)(
    'passes on an error of %s, and never answers empty',
    async (method) => {
      const index = await indexOf({ body: 'disk', vector: vectorOfText('x', DIMENSION) })
      const failure = new PortError('unavailable', { operation: method, subject: 'engine', reason: 'it is down' })
      Object.assign(index, { [method]: () => Promise.reject(failure) })
      const settings = { strictMaxHits: 1 }
      await index.replaceDocument(entryOf(home, 'another', { body: 'disk' }))
      const request = method === 'nearest' ? { mode: 'vector_only', query_text: 'x' } : { keywords: ['disk'] }
      await expect(search(index, request, { settings })).rejects.toBe(failure)
    }
  )

  it('passes on that a vector does not fit the index', async () => {
    const index = await indexOf({ body: 'disk' })
    const tooWide = vectorOfText('disk', DIMENSION + 1)
    await expect(search(index, { keywords: ['disk'] }, { embed: async () => tooWide })).rejects.toMatchObject({
      failure: 'invalid-argument'
    })
  })

  it('rejects with the reason of the signal, before it starts and while it embeds', async () => {
    const index = await indexOf({ body: 'disk' })
    const gone = new Error('the caller left')
    await expect(search(index, {}, { signal: AbortSignal.abort(gone) })).rejects.toBe(gone)
    expect(index.matches).toEqual([])
    const controller = new AbortController()
    const embed = (): Promise<Float32Array> => {
      controller.abort(gone)
      return downEmbedder()
    }
    await expect(search(index, { keywords: ['disk'] }, { embed, signal: controller.signal })).rejects.toBe(gone)
    expect(index.matches).toEqual([])
  })

  it('touches neither index nor embedder where nothing is readable', async () => {
    const index = await indexOf({ body: 'disk' })
    await index.close()
    const unasked = new Error('not to be asked')
    const embed = (): Promise<Float32Array> => Promise.reject(unasked)
    const answer = await search(index, { keywords: ['disk'], query_text: 'x' }, { embed, pairs: [] })
    expect(answer).toEqual({ status: 'no_hit', total: 0, hits: [], stages: [] })
  })

  it('refuses an answer with a document of another tenant in it', async () => {
    const index = await indexOf({ body: 'disk' })
    const match = index.match.bind(index)
    index.match = async (request) => match({ ...request, pairs: [home] })
    const elsewhere = [pairOf('stranger', 'kb')]
    await expect(search(index, { keywords: ['disk'] }, { pairs: elsewhere })).rejects.toMatchObject({
      failure: 'corrupt'
    })
  })
})
