import { z } from 'zod'
import { choice, onOff, text, wholeNumber } from './setting.ts'

const HOUR_MS = 3_600_000
const milliseconds = () => wholeNumber(1, HOUR_MS)
/** 127.0.0.0/8, ::1 and localhost: without accounts, whoever reaches the server may read everything. */
const loopback = /^(localhost|::1|127(?:[.]\d{1,3}){3})$/i

/**
 * Every setting with its default. config/settings.yaml says the same with a reason for each; a test proves that they
 * agree. A section holds only what is used; unknown keys are refused.
 */
export const settingsSchema = z.strictObject({
  server: section({
    host: text('an address of this machine (127.0.0.1, ::1 or localhost): there are no accounts yet', loopback).default(
      '127.0.0.1'
    ),
    port: wholeNumber(0, 65_535).default(8000)
  }),
  data: section({ dir: text('the path of a folder').default('./data') }),
  documents: section({
    maxBytes: wholeNumber(1, 1_073_741_824).default(20_971_520),
    maxCharacters: wholeNumber(1, 100_000_000).default(2_000_000),
    maxChunks: wholeNumber(1, 1_000_000).default(5_000),
    extractTimeoutMs: milliseconds().default(60_000),
    // The process takes 120 MiB with its readers and the token counter loaded; this leaves as much for a document.
    extractMemoryMb: wholeNumber(256, 65_536).default(900),
    extractHeapMb: wholeNumber(32, 65_536).default(512),
    extractProcesses: wholeNumber(1, 64).default(1)
  }),
  chunking: section({
    strategy: choice(['auto', 'markdown', 'paragraph', 'fixed', 'word']).default('auto'),
    unit: choice(['tokens', 'characters']).default('tokens'),
    size: wholeNumber(1, 1_000_000).default(480),
    overlap: wholeNumber(0, 1_000_000).default(60)
  }).refine((chunking) => chunking.overlap < chunking.size, { path: ['overlap'], error: 'less than chunking.size' }),
  embedding: section({
    provider: choice(['bundled'], ': this release calls no remote embedding model').default('bundled'),
    threads: wholeNumber(0, 256).default(0)
  }),
  rerank: section({
    provider: choice(['bundled'], ': this release calls no remote reranker').default('bundled'),
    tokenVectors: onOff().default(true)
  }),
  retrieval: section({
    deadlineMs: milliseconds().default(15_000),
    embedDeadlineMs: milliseconds().default(10_000),
    recallDeadlineMs: milliseconds().default(5_000),
    rerankDeadlineMs: milliseconds().default(10_000),
    candidates: wholeNumber(5, 20).default(20)
  }),
  vectorStore: section({
    engine: choice(['embedded'], ': this release has no other vector store').default('embedded')
  }),
  observability: section({
    logLevel: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info')
  })
})

/** Checked, complete and frozen. Parts take from it what they need as values. */
export type Settings = DeepReadonly<z.output<typeof settingsSchema>>

/** Sections with any of their keys, as a command line gives them. */
export type SettingsOverrides = { readonly [S in keyof Settings]?: Partial<Settings[S]> }

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object ? DeepReadonly<T[K]> : T[K] }

function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).prefault({} as never)
}
