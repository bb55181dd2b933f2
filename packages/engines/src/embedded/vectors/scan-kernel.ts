import { readFileSync } from 'node:fs'
import { wasm } from './web-assembly.ts'
import type { SharedWasmMemory, WasmModule } from './web-assembly.ts'

/** Bytes of one page of WebAssembly memory. */
export const WASM_PAGE_BYTES = 65_536
/** 4 GiB: all that 32-bit addresses reach. */
export const WASM_MAX_PAGES = 65_536

/** What the kernel calls need; offsets are in bytes of the memory. */
export interface ScanCall {
  /** int16 query. */
  readonly query: number
  readonly rows: number
  readonly count: number
  readonly width: number
  /** f32 scale of each row; its f32 residual stands `residuals` bytes further. */
  readonly scales: number
  readonly residuals: number
  /** Room for `count` candidates of 8 bytes. */
  readonly out: number
}

/** How the rows' scores are bounded; see `scan.wat`. */
export interface ScanBounds {
  readonly queryScale: number
  readonly residualFactor: number
  readonly slack: number
}

export interface ScanKernel {
  /** How many candidates (u32 row, f32 score) were written to `out`. */
  scan(call: ScanCall, bounds: ScanBounds, threshold: number): number
  read(from: number, bytes: number): number
}

let compiled: WasmModule | undefined

export function scanKernel(memory: SharedWasmMemory): ScanKernel {
  compiled ??= new wasm.Module(readFileSync(new URL('./scan.wasm', import.meta.url)))
  const { exports } = new wasm.Instance(compiled, { scan: { memory } })
  const scan = exports.scan!
  const read = exports.read!
  return {
    scan: (call, bounds, threshold) =>
      scan(
        call.query,
        call.rows,
        call.count,
        call.width,
        call.scales,
        call.residuals,
        call.out,
        bounds.queryScale,
        bounds.residualFactor,
        bounds.slack,
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
