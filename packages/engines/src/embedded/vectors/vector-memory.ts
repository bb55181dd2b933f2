import { paddedWidth, quantisedRowBytes } from './quantise.ts'
import { WASM_MAX_PAGES, WASM_PAGE_BYTES } from './scan-kernel.ts'
import { wasm } from './web-assembly.ts'
import type { SharedWasmMemory } from './web-assembly.ts'

// All int8 rows are in one shared WebAssembly memory, in extents of 64 slots of one page of one knowledge base:
//   scratch of each reader | extent 0 | extent 1 | ...
//   extent: int8 * padded width * 64, f32 scale * 64, f32 residual * 64, i32 sum * 64
// A table beside it says what is in each extent. A page's extents need not be neighbours, so nothing is ever moved.

/** Rows of an extent: 57 KB at 896 wide, small enough for many small knowledge bases. */
export const EXTENT_ROWS = 64
/** The query in both precisions, and the candidates of one extent for a reader and its helper: up to 21,504 wide. */
const SCRATCH_BYTES = WASM_PAGE_BYTES
const CANDIDATE_BYTES = 8
/** 4 bytes a cell and 5 cells an entry: 5 MB of address space, touched as it is used. */
const MAX_EXTENTS = 262_144

/** Cells of an entry of the table. */
export const EXTENT_STATE = 0
export const EXTENT_KB = 1
export const EXTENT_PAGE = 2
/** Which 64 slots of the page. */
export const EXTENT_PART = 3
/** Rows that are filled in; they only grow. */
export const EXTENT_FILLED = 4
export const EXTENT_CELLS = 5

/** Cells of the control block; then one a reader: the epoch in which its scan began, 0 when it does not scan. */
export const CONTROL_LOCK = 0
/** Grows with each change of the table. */
export const CONTROL_VERSION = 1
/** Entries of the table that were ever used. */
export const CONTROL_EXTENTS = 2
/** Grows with each freeing. */
export const CONTROL_EPOCH = 3
/** Calls that wait for a reader. */
export const CONTROL_WAITING = 4
export const CONTROL_READERS = 5
export const MAX_READERS = 16

/** What the main thread makes once and hands to each reader. */
export interface VectorMemory {
  readonly dimension: number
  readonly memory: SharedWasmMemory
  readonly table: Int32Array
  readonly control: Int32Array
}

export function createVectorMemory(dimension: number): VectorMemory {
  const control = new Int32Array(new SharedArrayBuffer(4 * (CONTROL_READERS + MAX_READERS)))
  control[CONTROL_EPOCH] = 1
  return {
    dimension,
    // The maximum reserves addresses, not memory.
    memory: new wasm.Memory({ initial: MAX_READERS, maximum: WASM_MAX_PAGES, shared: true }),
    table: new Int32Array(new SharedArrayBuffer(4 * EXTENT_CELLS * MAX_EXTENTS)),
    control
  }
}

/** Byte offsets of the layout at one width. */
export interface VectorLayout {
  readonly width: number
  readonly extentBytes: number
  readonly maxExtents: number
  /** From an extent's start. */
  readonly columns: number
  extentStart(extent: number): number
}

export function vectorLayout(dimension: number): VectorLayout {
  const width = paddedWidth(dimension)
  const extentBytes = EXTENT_ROWS * quantisedRowBytes(dimension)
  const base = MAX_READERS * SCRATCH_BYTES
  return {
    width,
    extentBytes,
    maxExtents: Math.min(MAX_EXTENTS, Math.floor((WASM_MAX_PAGES * WASM_PAGE_BYTES - base) / extentBytes)),
    columns: EXTENT_ROWS * width,
    extentStart: (extent) => base + extent * extentBytes
  }
}

/** Where one thread keeps the query and what the kernel finds, in bytes of the memory. */
export interface ScanScratch {
  readonly query7: number
  readonly query16: number
  readonly candidates: number
}

/** A reader's own scratch. */
export function readerScratch(dimension: number, reader: number): ScanScratch {
  return scratchOf(dimension, reader, 1)
}

/** The scratch of the thread that helps a reader: the same query, candidates of its own. */
export function helperScratch(dimension: number, reader: number): ScanScratch {
  return scratchOf(dimension, reader, 2)
}

/** @param fromEnd which of the places for candidates, from the end of the scratch */
function scratchOf(dimension: number, reader: number, fromEnd: number): ScanScratch {
  const start = reader * SCRATCH_BYTES
  return {
    query7: start,
    query16: start + paddedWidth(dimension),
    candidates: start + SCRATCH_BYTES - fromEnd * EXTENT_ROWS * CANDIDATE_BYTES
  }
}
