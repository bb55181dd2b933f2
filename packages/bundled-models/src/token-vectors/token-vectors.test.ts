import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLED_WEIGHTS } from '../weights/weight-files.ts'
import { clusterWard } from './cluster-ward.ts'
import { encodeLateVectors } from './encode-late.ts'
import { TOKEN_WIDTH, lateBytes, readLateVectors } from './late-format.ts'
import { LateInteraction } from './late-interaction.ts'
import { loadDeviation } from './token-geometry.ts'

const deviation = loadDeviation(BUNDLED_WEIGHTS)

/** Unit vectors around a common mean, as token vectors of one text are. */
function tokenVectors(count: number, seed: number): Float32Array {
  let state = seed + 1
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32 - 0.5
  }
  const common = Float32Array.from({ length: TOKEN_WIDTH }, random)
  const vectors = new Float32Array(count * TOKEN_WIDTH)
  for (let i = 0; i < count; i++) {
    const row = Array.from(common, (value) => value + 1.5 * random())
    const norm = Math.hypot(...row)
    vectors.set(
      row.map((value) => value / norm),
      i * TOKEN_WIDTH
    )
  }
  return vectors
}

function gramOf(vectors: Float32Array, width: number): Float32Array {
  const count = vectors.length / width
  return Float32Array.from({ length: count * count }, (_, at) => {
    const [i, j] = [Math.floor(at / count), at % count]
    let dot = 0
    for (let d = 0; d < width; d++) dot += vectors[i * width + d]! * vectors[j * width + d]!
    return dot
  })
}

function encode(vectors: Float32Array): Uint8Array {
  const count = vectors.length / TOKEN_WIDTH
  return encodeLateVectors({ count, vectors, gram: gramOf(vectors, TOKEN_WIDTH) }, deviation)
}

/** Ward by its definition: in each step the pair whose union adds least to the sum of squares. Null when two pairs tie. */
function wardByDefinition(points: readonly number[][], clusters: number): number[][] | null {
  let groups = points.map((_, i) => [i])
  while (groups.length > clusters) {
    const costs: { cost: number; a: number; b: number }[] = []
    for (let a = 0; a < groups.length; a++) {
      for (let b = a + 1; b < groups.length; b++) costs.push({ cost: unionCost(points, groups[a]!, groups[b]!), a, b })
    }
    const [best, second] = costs.toSorted((left, right) => left.cost - right.cost)
    if (second !== undefined && second.cost - best!.cost < 1e-6) return null
    const merged = [...groups[best!.a]!, ...groups[best!.b]!].toSorted((x, y) => x - y)
    groups = [...groups.filter((_, i) => i !== best!.a && i !== best!.b), merged]
  }
  return groups.toSorted((left, right) => left[0]! - right[0]!)
}

function unionCost(points: readonly number[][], left: readonly number[], right: readonly number[]): number {
  const centre = (group: readonly number[]): number[] =>
    points[0]!.map((_, d) => group.reduce((sum, i) => sum + points[i]![d]!, 0) / group.length)
  const [from, to] = [centre(left), centre(right)]
  const square = from.reduce((sum, value, d) => sum + (value - to[d]!) ** 2, 0)
  return (left.length * right.length * square) / (left.length + right.length)
}

/** MaxSim by its definition, of float32 vectors. */
function exactMaxSim(query: Float32Array, chunk: Float32Array): number {
  const [tokens, others] = [query.length / TOKEN_WIDTH, chunk.length / TOKEN_WIDTH]
  let sum = 0
  for (let i = 0; i < tokens; i++) {
    let best = -1
    for (let j = 0; j < others; j++) {
      let dot = 0
      for (let d = 0; d < TOKEN_WIDTH; d++) dot += query[i * TOKEN_WIDTH + d]! * chunk[j * TOKEN_WIDTH + d]!
      best = Math.max(best, dot)
    }
    sum += best
  }
  return sum / tokens
}

function groupsOf(assignment: Int32Array): number[][] {
  const groups: number[][] = []
  for (const [i, group] of assignment.entries()) (groups[group] ??= []).push(i)
  return groups
}

describe('Ward clustering', () => {
  it('merges as the definition does, step by step', () => {
    // Small whole numbers: their dot products are exact in float32.
    const point = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 2, maxLength: 14 }),
        fc.integer({ min: 1, max: 7 }),
        (points, clusters) => {
          const expected = wardByDefinition(points, clusters)
          // Ties may be broken either way.
          fc.pre(expected !== null)
          const gram = gramOf(Float32Array.from(points.flat()), 3)
          expect(groupsOf(clusterWard(gram, points.length, clusters))).toEqual(expected)
        }
      )
    )
  })

  it('gives exactly the groups asked for, numbered by first appearance', () => {
    const groups = clusterWard(gramOf(tokenVectors(9, 1), TOKEN_WIDTH), 9, 5)
    expect(new Set(groups).size).toBe(5)
    const firsts = [...groups].filter((group, i) => groups.indexOf(group) === i)
    expect(firsts).toEqual([0, 1, 2, 3, 4])
  })

  it('keeps every vector alone when as many groups are wanted, and survives none', () => {
    expect([...clusterWard(gramOf(tokenVectors(3, 2), TOKEN_WIDTH), 3, 3)]).toEqual([0, 1, 2])
    expect(clusterWard(new Float32Array(), 0, 0)).toHaveLength(0)
  })

  it('clusters and quantises 512 tokens far below the time that the model takes for them', () => {
    const vectors = tokenVectors(512, 3)
    const gram = gramOf(vectors, TOKEN_WIDTH)
    const milliseconds = [1, 2, 3].map(() => {
      const started = process.cpuUsage()
      encodeLateVectors({ count: 512, vectors, gram }, deviation)
      return process.cpuUsage(started).user / 1000
    })
    // 8 ms, where the model takes 160.
    expect(Math.min(...milliseconds)).toBeLessThan(80)
  })
})

describe('stored token vectors', () => {
  it('take 14.9 KB for 300 tokens and say how many clusters they hold', () => {
    const bytes = encode(tokenVectors(300, 4))
    expect(bytes.length).toBe(lateBytes(150))
    expect(bytes.length).toBeLessThan(15_000)
    expect(readLateVectors(bytes)?.clusters).toBe(150)
  })

  it('are read from any position in a larger buffer', () => {
    const bytes = encode(tokenVectors(5, 5))
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    expect(readLateVectors(shifted.subarray(3))).toEqual(readLateVectors(bytes))
  })

  it('are refused when cut, of another format, or with a mean that is no number', () => {
    const bytes = encode(tokenVectors(6, 6))
    const damaged = (at: number, value: number): Uint8Array => bytes.map((byte, i) => (i === at ? value : byte))
    expect(readLateVectors(bytes.subarray(0, -1))).toBeNull()
    expect(readLateVectors(new Uint8Array())).toBeNull()
    expect(readLateVectors(damaged(0, 9))).toBeNull()
    expect(readLateVectors(damaged(2, 200))).toBeNull()
    const noNumber = new Uint8Array(bytes)
    new DataView(noNumber.buffer).setFloat32(4, Number.NaN, true)
    expect(readLateVectors(noNumber)).toBeNull()
  })

  it('hold nothing but a head for a text without tokens', () => {
    expect(readLateVectors(encode(new Float32Array()))?.clusters).toBe(0)
  })
})

describe('late interaction', () => {
  let late: LateInteraction
  beforeAll(async () => {
    late = await LateInteraction.load(BUNDLED_WEIGHTS)
  })
  afterAll(() => late.release())

  it('comes near to the exact value where every token is a cluster of its own', async () => {
    for (const seed of [8, 9, 10]) {
      const vectors = tokenVectors(5, seed)
      const query = vectors.slice(0, 4 * TOKEN_WIDTH)
      // One token clusters into one, so what is left is quantisation.
      const chunk = vectors.slice(4 * TOKEN_WIDTH)
      const [score] = await late.maxSim(query, [readLateVectors(encode(chunk))!])
      expect(Math.abs(score! - exactMaxSim(query, chunk))).toBeLessThan(0.02)
    }
  })

  it('scores each chunk as if it were alone, in order, and 0 for a chunk without vectors', async () => {
    const query = tokenVectors(3, 11)
    const chunks = [tokenVectors(7, 12), new Float32Array(), tokenVectors(2, 13)].map((each) =>
      readLateVectors(encode(each))!
    )
    const together = await late.maxSim(query, chunks)
    const alone = [await late.maxSim(query, [chunks[0]!]), [0], await late.maxSim(query, [chunks[2]!])].flat()
    expect(together).toHaveLength(3)
    for (const [i, score] of together.entries()) expect(score).toBeCloseTo(alone[i]!, 5)
  })

  it('prefers the chunk that has the query’s own tokens', async () => {
    const chunk = tokenVectors(20, 14)
    const query = chunk.slice(0, 2 * TOKEN_WIDTH)
    const [own, other] = await late.maxSim(
      query,
      [chunk, tokenVectors(20, 15)].map((each) => readLateVectors(encode(each))!)
    )
    expect(own).toBeGreaterThan(other! + 0.1)
  })
})
