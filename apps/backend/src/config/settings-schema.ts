import { z } from 'zod'
import { alertSettings, chatAgrees, chatSettings, mcpSettings } from './chat-section.ts'
import { searchAgrees, searchSettings } from './search-section.ts'
import { choice, onOff, optionalText, text, wholeNumber } from './setting.ts'

const HOUR_MS = 3_600_000
const milliseconds = () => wholeNumber(1, HOUR_MS)
const hostName = /^[\w.:%-]{1,253}$/
/** Addresses of remote models; credentials have settings of their own, which are hidden when they are printed. */
const httpAddress = /^https?:[/][/][^\s@?#]+$/i
const httpOrigin = /^https?:[/][/][^\s@?#/]+$/i

/**
 * Every setting with its default. config/settings.yaml says the same with a reason for each; a test proves that they
 * agree. A section holds only what is used; unknown keys are refused.
 */
export const settingsSchema = z.strictObject({
  server: section({
    host: text('a host name or an address of this machine', hostName).default('127.0.0.1'),
    port: wholeNumber(0, 65_535).default(8000),
    publicOrigin: optionalText('an origin such as https://oncall.example.com', httpOrigin).default('')
  }),
  data: section({ dir: text('the path of a folder').default('./data') }),
  auth: section({
    sessionHours: wholeNumber(1, 8_760).default(336),
    loginAttempts: wholeNumber(1, 1_000).default(10),
    loginWindowMinutes: wholeNumber(1, 1_440).default(15),
    requestsPerMinute: wholeNumber(1, 1_000_000).default(1_200)
  }),
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
    provider: choice(['bundled', 'openai']).default('bundled'),
    baseUrl: optionalText('an http or https address', httpAddress).default(''),
    model: optionalText('the name of a model').default(''),
    apiKey: optionalText('a key').default(''),
    dimension: wholeNumber(0, 16_384).default(0),
    maxTokens: wholeNumber(64, 131_072).default(512),
    batchSize: wholeNumber(1, 2_048).default(32),
    timeoutMs: milliseconds().default(30_000),
    threads: wholeNumber(0, 256).default(0)
  }).superRefine(remoteNeeds('openai', ['baseUrl', 'model', 'dimension'])),
  rerank: section({
    provider: choice(['bundled', 'dashscope', 'jina']).default('bundled'),
    baseUrl: optionalText('an http or https address', httpAddress).default(''),
    model: optionalText('the name of a model').default(''),
    apiKey: optionalText('a key').default(''),
    timeoutMs: milliseconds().default(8_000),
    tokenVectors: onOff().default(true)
  })
    .superRefine(remoteNeeds('dashscope', ['baseUrl', 'model']))
    .superRefine(remoteNeeds('jina', ['baseUrl', 'model'])),
  chat: section(chatSettings(httpAddress)).superRefine(chatAgrees),
  retrieval: section({
    deadlineMs: milliseconds().default(15_000),
    embedDeadlineMs: milliseconds().default(10_000),
    recallDeadlineMs: milliseconds().default(5_000),
    rerankDeadlineMs: milliseconds().default(10_000),
    candidates: wholeNumber(5, 20).default(20)
  }),
  search: section(searchSettings(httpAddress)).superRefine(searchAgrees),
  vectorStore: section({
    engine: choice(['embedded'], ': this release has no other vector store').default('embedded')
  }),
  jobs: section({
    workers: wholeNumber(0, 64).default(2),
    leaseMs: wholeNumber(1_000, HOUR_MS).default(30_000),
    maxAttempts: wholeNumber(1, 100).default(8),
    keepDays: wholeNumber(1, 3_650).default(90)
  }),
  alerts: section(alertSettings(httpAddress)),
  mcp: section(mcpSettings()),
  observability: section({
    logLevel: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    traceEndpoint: optionalText('an http or https address', httpAddress).default('')
  })
})

/** Checked, complete and frozen. Parts take from it what they need as values. */
export type Settings = DeepReadonly<z.output<typeof settingsSchema>>

/** Sections with any of their keys, as a command line gives them. */
export type SettingsOverrides = { readonly [S in keyof Settings]?: Partial<Settings[S]> }

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object ? DeepReadonly<T[K]> : T[K] }

/** A remote provider is of no use without its address: said at the start, not at the first question. */
function remoteNeeds(provider: string, keys: readonly string[]) {
  return (values: Readonly<Record<string, unknown>>, check: z.RefinementCtx): void => {
    if (values.provider !== provider) return
    for (const key of keys.filter((each) => values[each] === '' || values[each] === 0)) {
      check.addIssue({ code: 'custom', path: [key], message: `a value, because the provider is ${provider}` })
    }
  }
}

function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).prefault({} as never)
}
