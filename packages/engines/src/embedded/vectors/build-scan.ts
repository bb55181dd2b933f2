import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

const SOURCE = new URL('./scan.wat', import.meta.url)
export const SCAN_MODULE = new URL('./scan.wasm', import.meta.url)

/** The module that `scan.wat` describes. Run this file to write it to `scan.wasm`. */
export async function buildScan(): Promise<Uint8Array> {
  const tools = await wabt()
  const module = tools.parseWat('scan.wat', readFileSync(SOURCE, 'utf8'), {
    simd: true,
    threads: true,
    relaxed_simd: true
  })
  try {
    return module.toBinary({}).buffer
  } finally {
    module.destroy()
  }
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) {
  writeFileSync(SCAN_MODULE, await buildScan())
}
