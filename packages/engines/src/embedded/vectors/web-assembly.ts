// The part of the WebAssembly API that the scan uses. Neither the ES library nor Node's types describe it, and the DOM
// library would bring all of a browser with it.

/** A memory with shared bytes; threads pass it to one another. */
export interface SharedWasmMemory {
  /** After growing, a new buffer of the new size on the same bytes. */
  readonly buffer: SharedArrayBuffer
  /** @param pages of 64 KiB */
  grow(pages: number): number
}

export interface WasmModule {
  readonly kind?: 'module'
}

interface WebAssemblyApi {
  readonly Memory: new (options: { initial: number; maximum: number; shared: true }) => SharedWasmMemory
  readonly Module: new (bytes: Uint8Array) => WasmModule
  readonly Instance: new (
    module: WasmModule,
    imports: Record<string, Record<string, SharedWasmMemory>>
  ) => { readonly exports: Record<string, (...parameters: number[]) => number> }
}

export const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
