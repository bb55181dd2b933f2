import type { StructuredHit } from '../../ports/index.ts'
import { unitVector } from '../test-data.ts'
import { Random } from '../random.ts'
import { atAngle, entryOf, home, ids, loosely, matchOf, neighbour, stranger, strictly } from './structured-data.ts'
import { writeAll } from './structured-suite.ts'
import type { Cases } from './structured-suite.ts'

/** Absolute; an engine may sum in single precision. The comparison with brute force is where an exact engine is held to more. */
const TOLERANCE = 1e-4

function isClose(actual: number | undefined, expected: number): boolean {
  return actual !== undefined && Math.abs(actual - expected) < TOLERANCE
}

/** One token by the contract's formula: documents of the field, those with the token, its frequency, length and mean length. */
function bm25(documents: number, having: number, field: { frequency: number; length: number; mean: number }): number {
  const idf = Math.log(1 + (documents - having + 0.5) / (having + 0.5))
  const { frequency, length, mean } = field
  return (idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * length) / mean))
}

function hitsById(hits: readonly StructuredHit[]): Record<string, StructuredHit> {
  return Object.fromEntries(hits.map((hit) => [hit.document.documentId, hit]))
}

/** Cases that hold for any statistics, because the index holds nothing outside the scope and no deleted document. */
export const scoringCases: Cases = {
  'scores by BM25 with the statistics of the field, documents without the field left out of its count': async ({
    index,
    expect
  }) => {
    await writeAll(index, [
      entryOf(home, 'a', { title: 'gateway', body: 'disk disk full' }),
      entryOf(home, 'b', { body: 'disk' }),
      entryOf(home, 'c', { body: 'other words here' })
    ])
    const body = hitsById((await index.match(matchOf(strictly('disk')))).hits)
    expect(isClose(body['a']?.score, bm25(3, 2, { frequency: 2, length: 3, mean: 7 / 3 }))).toBe(true)
    expect(isClose(body['b']?.score, bm25(3, 2, { frequency: 1, length: 1, mean: 7 / 3 }))).toBe(true)
    const title = hitsById((await index.match(matchOf({ ...strictly('gateway'), titleBoost: 2 }))).hits)
    expect(isClose(title['a']?.score, 2 * bm25(1, 1, { frequency: 1, length: 1, mean: 1 }))).toBe(true)
  },
  'takes the better field of each keyword, and sums over the keywords that match': async ({ index, expect }) => {
    await writeAll(index, [
      entryOf(home, 'a', { title: 'disk', body: 'disk gateway' }),
      entryOf(home, 'b', { title: 'unrelated', body: 'words' })
    ])
    const scoreOf = async (titleBoost: number, ...keywords: string[]): Promise<number | undefined> =>
      (await index.match(matchOf({ ...loosely(...keywords), titleBoost }))).hits[0]?.score
    const disk = { title: (await scoreOf(1000, 'disk'))! / 1000, body: (await scoreOf(0, 'disk'))! }
    const gateway = (await scoreOf(1, 'gateway'))!
    for (const boost of [0, 0.1, 3]) {
      const expected = Math.max(boost * disk.title, disk.body) + gateway
      expect({ boost, isClose: isClose(await scoreOf(boost, 'disk', 'gateway', 'nowhere'), expected) }).toEqual({
        boost,
        isClose: true
      })
    }
  },
  'filters never move a score': async ({ index, expect }) => {
    await writeAll(index, [
      entryOf(home, 'a', { body: 'disk full', project: 'p', errorCodes: ['E1', 'E2'] }),
      entryOf(home, 'b', { body: 'disk disk and more', project: 'q' }),
      entryOf(home, 'c', { body: 'gateway', project: 'p' })
    ])
    const free = hitsById((await index.match(matchOf(strictly('disk')))).hits)
    const filters = { project: 'p', errorCodes: ['E1', 'E2'], knowledgeType: 'alarm' }
    const filtered = hitsById((await index.match(matchOf({ ...strictly('disk'), filters }))).hits)
    expect(Object.keys(filtered)).toEqual(['a'])
    expect(isClose(filtered['a']?.score, free['a']!.score)).toBe(true)
  },
  'scores 0 where there are no keywords': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'a', { title: 'disk' })])
    const { hits } = await index.match(matchOf({}))
    expect(hits.map(({ score, bm25: words, vectorPart }) => [score, words, vectorPart])).toEqual([[0, 0, 0]])
  },
  'puts equal scores in corpus order: creation time, then id': async ({ index, expect }) => {
    await writeAll(index, [
      entryOf(home, 'b', { body: 'disk', createdAt: 2 }),
      entryOf(home, 'z', { body: 'disk', createdAt: 1 }),
      entryOf(neighbour, 'a', { body: 'disk', createdAt: 2 })
    ])
    const pairs = [neighbour, home]
    for (const match of [strictly('disk'), strictly()]) {
      expect(ids(await index.match(matchOf({ ...match, pairs })))).toEqual(['z', 'a', 'b'])
      expect(ids(await index.match(matchOf({ ...match, pairs, from: 1, size: 1 })))).toEqual(['a'])
    }
  }
}

export const rescoringCases: Cases = {
  'rescores by (1 - w)·BM25 + w·(cos + 1), and shows the parts that add up': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    const angles = [0, 60, 90, 180]
    await writeAll(
      index,
      angles.map((angle) => entryOf(home, `at-${angle}`, { body: 'disk', vector: atAngle(angle, dimension) }))
    )
    const words = (await index.match(matchOf(strictly('disk')))).hits[0]!.bm25
    for (const weight of [0.5, 0.2, 1]) {
      const rescore = { vector: atAngle(0, dimension), window: 50, weight }
      const { hits } = await index.match(matchOf({ ...strictly('disk'), rescore }))
      expect(ids({ hits })).toEqual(angles.map((angle) => `at-${angle}`))
      for (const [rank, hit] of hits.entries()) {
        const similarity = Math.cos((angles[rank]! * Math.PI) / 180) + 1
        expect(isClose(hit.bm25, words) && isClose(hit.vectorPart, similarity)).toBe(true)
        expect(isClose(hit.score, (1 - weight) * words + weight * similarity)).toBe(true)
      }
    }
  },
  'gives a document without a vector 0 for the vector part': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    await writeAll(index, [
      entryOf(home, 'none', { body: 'disk' }),
      entryOf(home, 'near', { body: 'disk', vector: atAngle(0, dimension) })
    ])
    const rescore = { vector: atAngle(0, dimension), window: 50, weight: 0.5 }
    const { hits } = await index.match(matchOf({ ...strictly('disk'), rescore }))
    expect(ids({ hits })).toEqual(['near', 'none'])
    expect(hits[1]!.vectorPart).toBe(0)
    expect(isClose(hits[1]!.score, hits[1]!.bm25 / 2)).toBe(true)
  },
  'leaves hits behind the window with (1 - w)·BM25, in the order of their BM25': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    const vector = atAngle(0, dimension)
    await writeAll(
      index,
      [4, 3, 2, 1].map((times) => entryOf(home, `disk-${times}`, { body: 'disk '.repeat(times), vector }))
    )
    const before = await index.match(matchOf(strictly('disk')))
    const rescore = { vector, window: 2, weight: 0.5 }
    const after = await index.match(matchOf({ ...strictly('disk'), rescore }))
    expect(ids(after)).toEqual(ids(before))
    for (const [rank, hit] of after.hits.entries()) {
      const similarity = rank < 2 ? 2 : 0
      expect(isClose(hit.bm25, before.hits[rank]!.bm25) && isClose(hit.vectorPart, similarity)).toBe(true)
      expect(isClose(hit.score, (hit.bm25 + similarity) / 2)).toBe(true)
    }
    const behind = await index.match(matchOf({ ...strictly('disk'), rescore, from: 2, size: 2 }))
    expect(ids(behind)).toEqual(ids(before).slice(2))
  },
  'rescores what the window holds though the page is smaller': async ({ index, expect }) => {
    const { dimension } = index.capabilities
    await writeAll(index, [
      entryOf(home, 'far', { body: 'disk disk disk', vector: atAngle(180, dimension) }),
      entryOf(home, 'middle', { body: 'disk disk', vector: atAngle(180, dimension) }),
      entryOf(home, 'near', { body: 'disk', vector: atAngle(0, dimension) })
    ])
    const rescore = { vector: atAngle(0, dimension), window: 3, weight: 0.9 }
    expect(ids(await index.match(matchOf({ ...strictly('disk'), rescore, size: 1 })))).toEqual(['near'])
  },
  'compares directions: the length of a vector is no matter': async ({ index, expect }) => {
    const vector = atAngle(60, index.capabilities.dimension)
    await writeAll(index, [entryOf(home, 'a', { body: 'disk', vector: vector.map((value) => value * 3) })])
    const query = atAngle(0, index.capabilities.dimension).map((value) => value * 0.5)
    const rescore = { vector: query, window: 5, weight: 1 }
    const { hits } = await index.match(matchOf({ ...strictly('disk'), rescore }))
    expect(isClose(hits[0]?.score, 1.5)).toBe(true)
  }
}

export const scopeStatisticsCases: Cases = {
  'takes its statistics from the pairs asked for: what stands outside moves no score': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'a', { body: 'disk full' }), entryOf(home, 'b', { body: 'gateway' })])
    const alone = await index.match(matchOf(strictly('disk')))
    const random = new Random(5)
    const noise = Array.from({ length: 30 }, (_, number) =>
      entryOf(random.pick([neighbour, stranger]), `n${number}`, {
        body: 'disk '.repeat(random.between(1, 9)),
        vector: unitVector(index.capabilities.dimension, random)
      })
    )
    await writeAll(index, noise)
    const among = await index.match(matchOf(strictly('disk')))
    expect({ total: among.total, ids: ids(among) }).toEqual({ total: 1, ids: ['a'] })
    expect(Math.abs(among.hits[0]!.bm25 - alone.hits[0]!.bm25) < 1e-9).toBe(true)
    const both = await index.match(matchOf({ ...strictly('disk'), pairs: [home, neighbour] }))
    expect(hitsById(both.hits)['a']!.bm25 < alone.hits[0]!.bm25).toBe(true)
  },
  'scores as if a replaced or deleted document had never been another': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'kept', { title: 'disk', body: 'disk full' })])
    const clean = await index.match(matchOf(strictly('disk')))
    for (let number = 0; number < 20; number++) {
      await writeAll(index, [entryOf(home, `gone-${number}`, { title: 'disk', body: 'disk '.repeat(20) })])
      await writeAll(index, [entryOf(home, `gone-${number}`, { body: 'unrelated' })])
      expect(await index.deleteDocument(home, `gone-${number}`)).toBe(true)
    }
    const after = await index.match(matchOf(strictly('disk')))
    expect(ids(after)).toEqual(['kept'])
    expect(Math.abs(after.hits[0]!.bm25 - clean.hits[0]!.bm25) < 1e-9).toBe(true)
  }
}
