import { readFileSync } from 'node:fs'
import { wasm } from './web-assembly.ts'
import type { SharedWasmMemory, WasmModule } from './web-assembly.ts'

/** Bytes of one page of WebAssembly memory. */
export const WASM_PAGE_BYTES = 65_536
/** 4 GiB: all that 32-bit addresses reach. */
export const WASM_MAX_PAGES = 65_536

/** Where a scan of one extent finds things; offsets are in bytes of the memory. */
export interface ScanCall {
  /** u8 query of 7-bit values plus 64. */
  readonly query7: number
  /** i16 query. */
  readonly query16: number
  readonly rows: number
  /** Up to 64. */
  readonly count: number
  readonly width: number
  /** f32 scale * 64, f32 residual * 64, i32 sum * 64. */
  readonly columns: number
  /** Room for `count` candidates of 8 bytes. */
  readonly out: number
}

/** How a score of one precision of the query is bounded: |true - score| <= residual(row) * factor + slack. */
export interface ScanBounds {
  readonly scale: number
  readonly factor: number
  readonly slack: number
}

export interface ScanQuery {
  readonly quick: ScanBounds
  readonly fine: ScanBounds
}

export interface ScanKernel {
  /** How many candidates (u32 row, f32 score) were written to `out`. */
  scan(call: ScanCall, query: ScanQuery, threshold: number): number
  read(from: number, bytes: number): number
}

let compiled: WasmModule | undefined

export function scanKernel(memory: SharedWasmMemory): ScanKernel {
  compiled ??= new wasm.Module(readFileSync(new URL('./scan.wasm', import.meta.url)))
  const { exports } = new wasm.Instance(compiled, { scan: { memory } })
  const scan = exports.scan!
  const read = exports.read!
  return {
    scan: (call, { quick, fine }, threshold) =>
      scan(
        call.query7,
        call.query16,
        call.rows,
        call.count,
        call.width,
        call.columns,
        call.out,
        quick.scale,
        quick.factor,
        quick.slack,
        fine.scale,
        fine.factor,
        fine.slack,
        threshold
      ),
    read: (from, bytes) => read(from, bytes)
  }
}

/**
 * The rival of the vector benchmark: reads so many bytes once, by the same runtime and the same kind of memory as a scan.
 * @param bytes rounded up to 64
 */
export function createPlainRead(bytes: number): () => number {
  const size = Math.ceil(bytes / 64) * 64
  const pages = Math.max(1, Math.ceil(size / WASM_PAGE_BYTES))
  const memory = new wasm.Memory({ initial: pages, maximum: WASM_MAX_PAGES, shared: true })
  // Pages that were never written all map to one page of zeros, which would be read from the cache.
  new Uint8Array(memory.buffer).fill(1)
  const kernel = scanKernel(memory)
  return () => kernel.read(0, size)
}
