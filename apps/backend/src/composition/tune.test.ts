import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import {
  DEFAULT_TUNE_GRID,
  type Embedder,
  type KnowledgeIndex,
  PortError,
  type TunePoint
} from '@oncall-agent/retrieval'
import { documentOf, entryOf, plainChunks, Random, unitVector, vectorOfText } from '@oncall-agent/retrieval/conformance'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { createLogger } from '../observability/index.ts'
import { type BusinessStore, openBusinessStore } from '../store/index.ts'
import { openOnce } from './open-once.ts'
import type { Parts } from './parts.ts'
import { structuredSearchOf } from './structured-search-of.ts'
import { tuneLocally } from './tune.ts'

const DOCUMENTS = 240
const QUESTIONS = 80
const DIMENSION = 16
const WORDS = Array.from({ length: 10 }, (_, at) => `word${at}`)
const ana = { tenantId: 'ana', userId: 'ana' }
/** Far from the defaults in each. */
const TASTE: TunePoint = { titleBoost: 8, vectorWeight: 0.95, rrfWindow: 100 }
const pair = { tenantId: 'ana', knowledgeBaseId: 'kb' }

let dataDirectory: string
let store: BusinessStore
let index: KnowledgeIndex
let isDown: boolean
beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'oncall-tune-'))
  store = openBusinessStore(dataDirectory)
  isDown = false
  index = await openEmbeddedIndex({ directory: dataDirectory, fingerprint: embedder.fingerprint })
})
afterEach(async () => {
  await Promise.all([store.close(), index.close()])
  rmSync(dataDirectory, { recursive: true })
})

/** Vectors by the hash of the text: the same everywhere, and about nothing. */
const embedder: Embedder = {
  fingerprint: { model: 'hash', dimension: DIMENSION, normalised: true, tokenizerVersion: '1' },
  limits: { maxTokens: 512, batchSize: 4 },
  keepsTokenVectors: false,
  state: 'warm',
  warm: async () => {},
  close: async () => {},
  embedPassages: async (texts) => texts.map((text) => ({ vector: vectorOfText(text, DIMENSION), tokenCount: 1 })),
  embedQuery: async (text) => {
    if (isDown) throw new PortError('unavailable', { operation: 'embed', subject: 'hash', reason: 'is gone' })
    return { vector: vectorOfText(text, DIMENSION), tokenCount: 1 }
  }
}

function settingsOf(search: Partial<TunePoint> = {}) {
  return loadSettings({ env: {}, overrides: { data: { dir: dataDirectory }, search } })
}

/** What a process has whose settings are these; what tuning does not use is not there. */
function partsWith(search: Partial<TunePoint> = {}): Parts {
  const parts: Partial<Parts> = {
    settings: settingsOf(search),
    logger: createLogger({ level: 'silent' }),
    dataDirectory,
    embedder,
    store: openOnce(async () => store),
    index: openOnce(async () => index),
    structured: openOnce(async () => index.structured)
  }
  return parts as Parts
}

const tune = (apply = false, parts = partsWith()) =>
  tuneLocally(parts, { apply }, { signal: new AbortController().signal, onProgress: () => {} })

/** Documents of few words each, so that every question matches many; what they mean has nothing to do with their words. */
async function fill(): Promise<void> {
  const random = new Random(5)
  for (let number = 0; number < DOCUMENTS; number++) {
    const id = `d${number}`
    const title = random.some(WORDS, 0.15).join(' ')
    const body = Array.from({ length: random.between(8, 30) }, () => random.pick(WORDS)).join(' ')
    const entry = entryOf(pair, id, { title, body, vector: unitVector(DIMENSION, random), createdAt: number })
    await index.writer.replaceDocument(
      documentOf(pair, id, { createdAt: number }),
      plainChunks([body], DIMENSION),
      entry
    )
  }
}

const questions = Array.from({ length: QUESTIONS }, (_, at) => {
  const random = new Random(1_000 + at)
  const keywords = [random.pick(WORDS), random.pick(WORDS), random.pick(WORDS)]
  return { keywords, query_text: `what was asked ${at}`, mode: 'loose', size: 100 }
})

interface Judging {
  readonly verdict?: 'up' | 'down'
  readonly asked?: readonly object[]
  /** Share of judgements that are of any document that was shown, 0..1. */
  readonly errors?: number
}

/** People who find helpful what these settings would show first, and only judge what they are shown. */
async function judge(taste: TunePoint, { verdict = 'up', asked = questions, errors = 0 }: Judging = {}): Promise<void> {
  const caller = { ...ana, readable: [pair] }
  const random = new Random(77)
  const wished = await structuredSearchOf(partsWith(taste))
  const shown = await structuredSearchOf(partsWith())
  for (const question of asked) {
    const best = (await wished.searchFor(caller)(question)).hits.slice(0, 3).map((hit) => hit.document_id)
    const answer = await shown.searchFor(caller)(question)
    const seen = new Set(answer.hits.map((hit) => hit.document_id))
    for (const wanted of best.filter((id) => seen.has(id))) {
      const document_id = random.next() < errors ? random.pick([...seen]) : wanted
      await shown.giveFeedback(ana, { search_id: answer.search_id!, document_id, verdict })
    }
  }
}

/** How far apart two values stand in the grid. */
function steps(grid: readonly number[], left: number, right: number): number {
  return Math.abs(grid.indexOf(left) - grid.indexOf(right))
}

describe('tuning by judged searches over a real index', () => {
  it.each<TunePoint>([
    { titleBoost: 1, vectorWeight: 0.8, rrfWindow: 100 },
    { titleBoost: 8, vectorWeight: 0.95, rrfWindow: 100 },
    { titleBoost: 2, vectorWeight: 0.8, rrfWindow: 20 }
  ])(
    'finds the settings that people judged by ($titleBoost, $vectorWeight, $rrfWindow), within one step',
    async (taste) => {
      await fill()
      await judge(taste)
      const { suggested, heldOut, verdict, searches, judged } = await tune()
      expect([judged, searches.tuned + searches.heldOut]).toEqual([QUESTIONS, QUESTIONS])
      expect(verdict).toBe('better')
      const { titleBoosts, vectorWeights, rrfWindows } = DEFAULT_TUNE_GRID
      expect(steps(titleBoosts, suggested.titleBoost, taste.titleBoost)).toBeLessThanOrEqual(1)
      expect(steps(vectorWeights, suggested.vectorWeight, taste.vectorWeight)).toBeLessThanOrEqual(1)
      expect(steps(rrfWindows, suggested.rrfWindow, taste.rrfWindow)).toBeLessThanOrEqual(1)
      expect(heldOut.before.ndcg10).toBeLessThan(0.95)
      expect(heldOut.after.ndcg10).toBeGreaterThan(0.97)
      expect(heldOut.after.mrr).toBeGreaterThan(heldOut.before.mrr)
    }
  )

  it('measures what the search itself would show: the replayed order is that of the index', async () => {
    await fill()
    await judge(TASTE)
    const { suggested, heldOut } = await tune()
    const { heldOut: again, verdict } = await tune(false, partsWith(suggested))
    expect(verdict).toBe('as_good_as_any')
    expect(again.before).toEqual(heldOut.after)
  })

  it('writes what is better where the next process reads it, and nothing unless it is asked to', async () => {
    await fill()
    await judge(TASTE)
    expect((await tune()).applied).toBe(null)
    expect(settingsOf().search.vectorWeight).toBe(0.5)
    const { applied, suggested } = await tune(true)
    expect(applied).toEqual({ file: join(dataDirectory, 'settings.yaml'), overriddenBy: [] })
    expect(settingsOf().search).toMatchObject(suggested)
    expect((await tune(true)).verdict).toBe('as_good_as_any')
  })

  it('finds them as well when every fifth judgement is an error', async () => {
    await fill()
    await judge({ titleBoost: 1, vectorWeight: 0.8, rrfWindow: 100 }, { errors: 0.2 })
    const { suggested, verdict } = await tune()
    expect([suggested, verdict]).toEqual([{ titleBoost: 1, vectorWeight: 0.8, rrfWindow: 100 }, 'better'])
  })

  it('writes nothing where nothing is better, and says so', async () => {
    await fill()
    await judge({ titleBoost: 3, vectorWeight: 0.5, rrfWindow: 50 })
    expect(await tune(true)).toMatchObject({ verdict: 'as_good_as_any', applied: null })
  })

  it('writes nothing where judgements follow no settings at all', async () => {
    await fill()
    await judge({ titleBoost: 3, vectorWeight: 0.5, rrfWindow: 50 }, { errors: 1 })
    const { verdict, applied, current, suggested, gain } = await tune(true)
    expect(suggested).not.toEqual(current)
    expect(Math.abs(gain.mean)).toBeLessThan(2 * gain.standardError)
    expect([verdict, applied]).toEqual(['by_chance', null])
  })

  it('says when there are too few judged searches to mean anything, and leaves out what tells nothing', async () => {
    expect(await tune(true)).toMatchObject({ judged: 0, verdict: 'too_few', applied: null })
    await fill()
    await judge(TASTE, { asked: questions.slice(0, 12) })
    await judge(TASTE, { verdict: 'down', asked: questions.slice(12, 15) })
    await judge(TASTE, {
      asked: [
        { mode: 'loose', keywords: ['word1'], project: 'gone soon' },
        { query_text: 'only meaning', mode: 'vector_only' }
      ]
    })
    const report = await tune(true)
    expect(report).toMatchObject({
      judged: 16,
      leftOut: { nothing_helped: 3, not_found_now: 1 },
      verdict: 'too_few',
      applied: null
    })
    expect(report.searches.tuned + report.searches.heldOut).toBe(12)
  })

  it('fails with a reason when the embedder is down: without meaning there is nothing to compare', async () => {
    await fill()
    await judge(TASTE, { asked: questions.slice(0, 3) })
    isDown = true
    await expect(tune()).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
  })
})
