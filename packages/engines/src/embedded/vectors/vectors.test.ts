import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { buildScan, SCAN_MODULE } from './build-scan.ts'
import { cosine, norm, pickQuantised, quantiseQuery, quantiseQueryQuick, quantiseRows } from './quantise.ts'
import { createPlainRead } from './scan-kernel.ts'
import { CONTROL_EXTENTS, createVectorMemory, EXTENT_ROWS, vectorLayout } from './vector-memory.ts'
import { NO_EXTENT, VectorRows } from './vector-rows.ts'

const DIMENSION = 40

/** Any float32 vector, of any length, with zeros and outliers; not only what embedders give. */
const vectors = fc
  .array(fc.oneof(fc.float({ noNaN: true, min: -2, max: 2 }), fc.constantFrom(0, 100, -1e-20)), {
    minLength: DIMENSION,
    maxLength: DIMENSION
  })
  .map((values) => Float32Array.from(values))

function columnsOf(data: Uint8Array): { row: Int8Array; scale: number; residual: number; sum: number } {
  const width = vectorLayout(DIMENSION).width
  const view = new DataView(data.buffer, data.byteOffset)
  return {
    row: new Int8Array(data.buffer, data.byteOffset, width),
    scale: view.getFloat32(width, true),
    residual: view.getFloat32(width + 4, true),
    sum: view.getInt32(width + 8, true)
  }
}

function product(row: Int8Array, query: ArrayLike<number>, offset: number): number {
  return row.reduce((sum, value, index) => sum + value * (query[index]! - offset), 0)
}

function indices(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

describe('the committed scan', () => {
  it('is what its source builds', async () => {
    expect(Buffer.from(await buildScan()).equals(readFileSync(SCAN_MODULE))).toBe(true)
  })

  it('comes with a plain read of as many bytes, the rival of its benchmark', () => {
    // Bytes of 1 as 32-bit numbers, summed in the first of four lanes: 16 of each 64 bytes.
    expect(createPlainRead(6400)()).toBe((100 * 4 * 0x01010101) | 0)
  })
})

describe('quantised vectors', () => {
  it('bound the true cosine by their residuals, at both precisions of the query', () => {
    fc.assert(
      fc.property(vectors, vectors, (x, y) => {
        const { row, scale, residual, sum } = columnsOf(quantiseRows([x], DIMENSION))
        const truth = cosine(y, x, norm(y))
        for (const [query, offset] of [
          [quantiseQueryQuick(y), 64],
          [quantiseQuery(y), 0]
        ] as const) {
          const score = product(row, query.values, offset) * scale * query.scale
          const bound = residual * (1 + query.residual) + query.residual
          expect(Math.abs(truth - score)).toBeLessThanOrEqual(bound + 1e-9)
        }
        expect(sum).toBe(product(row, new Uint8Array(row.length).fill(1), 0))
      }),
      { numRuns: 500 }
    )
  })

  it('keep the query within what the scan multiplies without overflow', () => {
    fc.assert(
      fc.property(vectors, (y) => {
        const quick = quantiseQueryQuick(y).values
        expect(Math.min(...quick)).toBeGreaterThanOrEqual(1)
        expect(Math.max(...quick)).toBeLessThanOrEqual(127)
        const largest = Math.max(...quantiseQuery(y).values.map(Math.abs))
        expect(largest * 127 * vectorLayout(DIMENSION).width).toBeLessThan(2 ** 31)
      })
    )
  })

  it('can be picked out of a blob in any order', () => {
    const random = new Random(1)
    const three = [1, 2, 3].map(() => unitVector(DIMENSION, random))
    const picked = pickQuantised(quantiseRows(three, DIMENSION), DIMENSION, [2, 0])
    expect(picked).toEqual(quantiseRows([three[2]!, three[0]!], DIMENSION))
  })
})

describe('the rows that readers share', () => {
  const random = new Random(5)
  const rowsOf = (count: number) =>
    quantiseRows(
      Array.from({ length: count }, () => unitVector(DIMENSION, random)),
      DIMENSION
    )
  const data = rowsOf(200)
  const page = (number: number, used: number, reads: number[] = []) => ({
    kb: 1,
    page: number,
    used,
    read: (fromSlot: number) => {
      reads.push(fromSlot)
      return [{ slot: 0, data }]
    }
  })

  const extents = (rows: VectorRows, number: number): number[] =>
    [...rows.extentsOf(page(number, 200))].filter((extent) => extent !== NO_EXTENT)

  it('are loaded once for all readers', () => {
    const shared = createVectorMemory(DIMENSION)
    const [one, other] = [new VectorRows(shared, 0), new VectorRows(shared, 1)]
    const reads: number[] = []
    const first = one.scan(() => one.extentsOf(page(0, 200, reads)))
    const second = other.scan(() => other.extentsOf(page(0, 200, reads)))
    expect(reads).toEqual([0])
    expect([...second]).toEqual([...first])
    expect(first.filter((extent) => extent !== NO_EXTENT)).toHaveLength(Math.ceil(200 / EXTENT_ROWS))
  })

  it('are loaded on from where they end when a page has grown', () => {
    const rows = new VectorRows(createVectorMemory(DIMENSION), 0)
    const reads: number[] = []
    const short = { kb: 1, page: 0, used: 70, read: () => [{ slot: 0, data: rowsOf(70) }] }
    rows.scan(() => rows.extentsOf(short))
    rows.scan(() => rows.extentsOf(page(0, 200, reads)))
    expect(reads).toEqual([70])
  })

  it('are loaded on from where reading failed, in the memory that was taken for them', () => {
    const shared = createVectorMemory(DIMENSION)
    const [one, other] = [new VectorRows(shared, 0), new VectorRows(shared, 1)]
    const reads: number[] = []
    let failures = 1
    function* read(fromSlot: number) {
      reads.push(fromSlot)
      if (fromSlot < 100) yield { slot: 0, data: pickQuantised(data, DIMENSION, indices(0, 100)) }
      if (failures-- > 0) throw new Error('the disk gave no answer')
      yield { slot: 100, data: pickQuantised(data, DIMENSION, indices(100, 200)) }
    }
    const needed = { kb: 1, page: 0, used: 200, read }
    expect(() => one.scan(() => one.extentsOf(needed))).toThrow('the disk gave no answer')
    const second = one.scan(() => [...one.extentsOf(needed)])
    expect(other.scan(() => [...other.extentsOf(needed)])).toEqual(second)
    expect(reads).toEqual([0, 100])
    expect(shared.control[CONTROL_EXTENTS]).toBe(Math.ceil(200 / EXTENT_ROWS))
  })

  it('are given back when their page is gone, but not under a scan that may still read them', () => {
    const shared = createVectorMemory(DIMENSION)
    const [one, other] = [new VectorRows(shared, 0), new VectorRows(shared, 1)]
    const old = other.scan(() => {
      const used = extents(other, 0)
      one.scan(() => {
        one.release(1, (number) => number !== 0)
        expect(extents(one, 1).filter((extent) => used.includes(extent))).toEqual([])
      })
      return used
    })
    one.scan(() => one.release(1, (number) => number !== 1))
    expect(one.scan(() => extents(one, 2)).toSorted()).toEqual(old.toSorted())
  })
})
