import type { TopCandidates } from '../reading/top-candidates.ts'
import { scanKernel } from './scan-kernel.ts'
import type { ScanKernel, ScanQuery } from './scan-kernel.ts'
import { EXTENT_ROWS, vectorLayout } from './vector-memory.ts'
import type { ScanScratch, VectorLayout, VectorMemory } from './vector-memory.ts'

/** Rows of one extent that a scan looks at: `live[first + row]` is 0 for one that is not in scope. */
export interface ScannedExtent {
  readonly extent: number
  readonly first: number
  readonly count: number
  readonly live: Uint8Array | Uint32Array
}

/** Scans extents with a query that stands in the scratch, and collects what can be among the best. */
export class ExtentScan {
  readonly layout: VectorLayout
  readonly #memory: VectorMemory
  readonly #kernel: ScanKernel
  readonly #scratch: ScanScratch

  constructor(memory: VectorMemory, scratch: ScanScratch) {
    this.layout = vectorLayout(memory.dimension)
    this.#memory = memory
    this.#kernel = scanKernel(memory.memory)
    this.#scratch = scratch
  }

  /** @param named what a row that was found is called in `top` */
  scan<T>(
    { extent, first, count, live }: ScannedExtent,
    query: ScanQuery,
    top: TopCandidates<T>,
    named: (row: number, score: number) => T
  ): void {
    const { width } = this.layout
    const { query7, query16, candidates: out } = this.#scratch
    const rows = this.layout.extentStart(extent)
    const columns = rows + this.layout.columns
    const found = this.#kernel.scan({ query7, query16, rows, count, width, columns, out }, query, top.threshold)
    if (found === 0) return
    const { buffer } = this.#memory.memory
    const rowsFound = new Uint32Array(buffer, out, found * 2)
    const scoresFound = new Float32Array(buffer, out, found * 2)
    for (let index = 0; index < found; index++) {
      const row = rowsFound[2 * index]!
      if (live[first + row] === 0) continue
      const score = scoresFound[2 * index + 1]!
      const error = this.error(extent, row, query)
      top.add(named(row, score), score - error, score + error)
    }
  }

  /** How far the score of a row can be off. */
  error(extent: number, row: number, { fine }: ScanQuery): number {
    const residuals = this.layout.extentStart(extent) + this.layout.columns + EXTENT_ROWS * 4
    const [residual] = new Float32Array(this.#memory.memory.buffer, residuals + row * 4, 1)
    return residual! * fine.factor + fine.slack
  }
}
