import { tokenize } from '@oncall-agent/retrieval'
import { describe, expect, it } from 'vitest'
import { layOut } from './layout.ts'
import { englishWord, SyntheticText } from './synthetic-text.ts'
import { SyntheticVectors } from './synthetic-vectors.ts'
import { ZipfSampler } from './zipf-sampler.ts'

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, index) => sum + value * b[index]!, 0)

describe('synthetic text', () => {
  const text = new SyntheticText(1)

  it('is the same for the same seed and number, and different otherwise', () => {
    expect(new SyntheticText(1).chunk(17)).toBe(text.chunk(17))
    expect(text.chunk(18)).not.toBe(text.chunk(17))
    expect(new SyntheticText(2).chunk(17)).not.toBe(text.chunk(17))
  })

  it('has both languages and an error code in each chunk', () => {
    for (const number of [0, 1, 500]) {
      expect(text.chunk(number)).toMatch(/[a-z]{2}/)
      expect(text.chunk(number)).toMatch(/\p{Script=Han}{10}/u)
      expect(text.chunk(number)).toMatch(/ERR_[A-Z]+_\d{4}/)
    }
  })

  it('gives queries of as many tokens as asked for when they hold no code', () => {
    const plain = Array.from({ length: 20 }, (_, number) => text.query(number, 3)).filter((query) => !/ERR/.test(query))
    expect(plain.length).toBeGreaterThan(5)
    for (const query of plain) expect(tokenize(query)).toHaveLength(3)
  })

  it('spells distinct words for distinct ranks', () => {
    expect(new Set(Array.from({ length: 50_000 }, (_, rank) => englishWord(rank))).size).toBe(50_000)
  })
})

describe('Zipf ranks', () => {
  it('come up in proportion to 1 / rank', () => {
    const sampler = new ZipfSampler(1000, 1)
    const counts = Array.from({ length: 1000 }, () => 0)
    const draws = 200_000
    for (let draw = 0; draw < draws; draw++) counts[sampler.rank((draw + 0.5) / draws)]!++
    expect(counts[0]! / counts[9]!).toBeCloseTo(10, 0)
    expect(counts.at(-1)).toBeGreaterThan(0)
  })

  it('cover the ends of the range', () => {
    const sampler = new ZipfSampler(5, 1)
    expect(sampler.rank(0)).toBe(0)
    expect(sampler.rank(0.999_999)).toBe(4)
  })
})

describe('synthetic vectors', () => {
  const vectors = new SyntheticVectors({ seed: 1, dimension: 64, chunks: 2000 })

  it('have norm 1 and can be made again one by one', () => {
    const again = new SyntheticVectors({ seed: 1, dimension: 64, chunks: 2000 })
    expect(again.chunk(1234)).toEqual(vectors.chunk(1234))
    expect(dot(vectors.chunk(3), vectors.chunk(3))).toBeCloseTo(1, 5)
  })

  it('are near within a cluster and far between clusters', () => {
    expect(dot(vectors.chunk(0), vectors.chunk(4))).toBeGreaterThan(0.3)
    expect(Math.abs(dot(vectors.chunk(0), vectors.chunk(1)))).toBeLessThan(0.4)
  })

  it('gather around given centres', () => {
    const centre = vectors.chunk(9)
    const gathered = new SyntheticVectors({ seed: 5, dimension: 64, chunks: 10, centres: [centre] })
    expect(dot(gathered.chunk(3), centre)).toBeGreaterThan(0.5)
  })
})

describe('the layout of a corpus', () => {
  it.each([
    [1000, 100],
    [10_000, 1000],
    [997, 30]
  ])('places each of %i chunks once, %i of them in the fixed scope', (chunks, fixed) => {
    const layout = layOut(chunks, fixed)
    const numbers = layout.documents.flatMap((slot) =>
      Array.from({ length: slot.count }, (_, index) => slot.first + index)
    )
    expect(numbers).toEqual(Array.from({ length: chunks }, (_, index) => index))
    const sizeOf = (id: string): number =>
      layout.documents.filter((slot) => slot.knowledgeBaseId === id).reduce((sum, slot) => sum + slot.count, 0)
    expect(sizeOf(layout.fixed)).toBe(fixed)
    expect(sizeOf(layout.tenth)).toBe(Math.round(chunks / 10))
  })

  it('refuses a corpus that is too small for its scopes', () => {
    expect(() => layOut(10, 10)).toThrow(RangeError)
  })
})
