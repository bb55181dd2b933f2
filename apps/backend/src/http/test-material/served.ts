import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  ApiScope,
  RetrievalResponse,
  SearchFeedbackSummary,
  SearchResponse,
  SystemSummary
} from '@oncall-agent/api-contracts'
import {
  type ConversationsOptions,
  createConversations,
  createPromptLibrary,
  createToolAudit,
  createToolServers
} from '../../agent/index.ts'
import { type Auth, createAuth } from '../../auth/index.ts'
import { programEnvironment } from '../../config/index.ts'
import { createLogger, createMetrics, type Logger } from '../../observability/index.ts'
import { type BusinessStore, openBusinessStore } from '../../store/index.ts'
import { createHttpServer } from '../create-http-server.ts'
import type { HttpDependencies, HttpLimits } from '../dependencies.ts'
import { echo } from './fake-answerer.ts'
import { fakeKnowledge } from './fake-knowledge.ts'

export const emptyAnswer: RetrievalResponse = {
  query: 'q',
  topK: 5,
  results: [],
  citations: [],
  stages: [{ name: 'embed', status: 'ok', engine: 'bundled', candidates: 1, tookMs: 1.5 }],
  runId: 'run-1'
}

export const noHit: SearchResponse = {
  status: 'no_hit',
  total: 0,
  hits: [],
  search_id: 'search-1',
  stages: [{ name: 'strict', status: 'empty', found: 0, took_ms: 0.5, rescore: 'skipped', reason: 'nothing_to_embed' }],
  settings: { strict_max_hits: 8, title_boost: 3, rrf_window: 50, vector_weight: 0.5, loose_min_match: 0.6 }
}

const noFeedback: SearchFeedbackSummary = {
  searches: 0,
  judged_searches: 0,
  up: 0,
  down: 0,
  by_status: [],
  documents: []
}

const summary: SystemSummary = {
  version: '0.1.0',
  uptimeSeconds: 1,
  jobs: { waiting: 0, running: 0, failedLastDay: 0, oldestWaitingSeconds: null },
  index: { engine: 'embedded', documents: 0, chunks: 0, bytesOnDisk: 0, embedder: 'bundled', dimension: 8 }
}

export const PASSWORD = 'correct horse battery'

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Parsed when it is JSON. */
  readonly body: unknown
  readonly bytes: Buffer
}

interface AskOptions extends RequestOptions {
  readonly body?: string | Uint8Array
}

export interface Served {
  readonly port: number
  readonly server: Awaited<ReturnType<typeof createHttpServer>>
  readonly auth: Auth
  readonly store: BusinessStore
  /** Where uploads lie. */
  readonly files: string
  /** Log events so far. */
  readonly events: () => readonly Record<string, unknown>[]
  readonly ask: (path: string, options?: AskOptions) => Promise<Answered>
  readonly postJson: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answered>
  readonly close: () => Promise<void>
}

export interface ServeParts extends Partial<Omit<HttpDependencies, 'limits'>> {
  readonly limits?: Partial<HttpLimits>
  /** How answers are written; the question is said back when absent. */
  readonly chat?: Partial<Pick<ConversationsOptions, 'answerer' | 'streams' | 'approvalMs' | 'timing'>>
  /** Data folder that several servers share; it is left where it is. */
  readonly directory?: string
}

/** A real server on a free port of 127.0.0.1 with real accounts; rooms answer empty unless they are replaced. */
export async function serve({ limits, chat, directory: shared, ...parts }: ServeParts = {}): Promise<Served> {
  const lines: string[] = []
  const directory = shared ?? mkdtempSync(join(tmpdir(), 'oncall-http-'))
  const files = join(directory, 'files')
  const store = openBusinessStore(directory)
  const auth = createAuth({
    store,
    sessionHours: 1,
    loginAttempts: 5,
    loginWindowMinutes: 1,
    onUnrecorded: (failure) => lines.push(JSON.stringify({ level: 'error', failure: String(failure) })),
    passwordCost: { memoryKib: 64, passes: 1, lanes: 1 }
  })
  const logger = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  const conversations = createConversations({
    store,
    answerer: echo,
    readableBy: (caller) => auth.readableBy(caller),
    streams: 256,
    approvalMs: 60_000,
    logger,
    ...chat
  })
  const server = await createHttpServer({
    ...emptyRooms({ store, directory, files, logger }),
    logger,
    auth,
    conversations,
    limits: { requestsPerMinute: 100_000, publicOrigin: '', ...limits },
    ...parts
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const ask: Served['ask'] = (path, options = {}) => send({ port, path, ...options }, options.body)
  const postJson: Served['postJson'] = (path, body, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body)
    })
  const close = async () => {
    await Promise.all([server.close(), conversations.close()])
    await store.close()
    if (shared === undefined) rmSync(directory, { recursive: true })
  }
  const events = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { port, server, auth, store, files, ask, postJson, events, close }
}

interface Place {
  readonly store: BusinessStore
  readonly directory: string
  readonly files: string
  readonly logger: Logger
}

type EmptyRooms = Omit<HttpDependencies, 'logger' | 'auth' | 'conversations' | 'limits'>

/** Rooms over real facts where those cost nothing, and such as answer empty. */
function emptyRooms({ store, directory, files, logger }: Place): EmptyRooms {
  return {
    version: '0.1.0',
    knowledge: fakeKnowledge(files),
    retrieve: async () => emptyAnswer,
    findRun: async () => undefined,
    search: {
      ask: async () => noHit,
      giveFeedback: async (_caller, { note = null, ...given }) => ({ ...given, note, updated_at: 1 }),
      feedbackSummary: async () => noFeedback
    },
    toolAudit: createToolAudit({ store }),
    toolServers: createToolServers({
      store,
      key: { given: '', file: join(directory, 'mcp.key') },
      version: '0.1.0',
      connectTimeoutMs: 20_000,
      maxServers: 20,
      environment: programEnvironment(),
      cwd: directory,
      log: { failed: (_id, reason) => logger.warn({ reason }, 'a tool server does not do well') }
    }),
    mcp: { answer: async () => ({ status: 200, headers: {}, body: '' }), close: async () => undefined },
    prompts: createPromptLibrary({ store, now: Date.now }),
    models: {
      list: () => ({ models: [] }),
      test: async ({ part, language }) => ({ part, ok: true, tookMs: 1, message: language })
    },
    system: {
      readiness: async () => [],
      summary: async () => summary,
      jobs: async () => ({ items: [], nextCursor: null, total: 0 })
    },
    metrics: createMetrics(),
    idempotentAnswers: store.idempotentAnswers
  }
}

export interface SignedInPerson {
  readonly userId: string
  /** Headers of the session's cookie. */
  readonly session: Readonly<Record<string, string>>
  /** Headers of a new key with these scopes. */
  readonly key: (...scopes: readonly ApiScope[]) => Promise<Readonly<Record<string, string>>>
}

/** The first account, an administrator, signed in. */
export async function administrator({ auth }: Pick<Served, 'auth'>): Promise<SignedInPerson> {
  const { user, token } = await auth.bootstrap({ username: 'admin', password: PASSWORD })
  return personOf(auth, user.id, token)
}

/** One more person, signed in. */
export async function member({ auth }: Pick<Served, 'auth'>, username = 'bob'): Promise<SignedInPerson> {
  const user = await auth.operator.create({ username, password: PASSWORD, role: 'member' })
  const { token } = await auth.login({ username, password: PASSWORD }, '127.0.0.1')
  return personOf(auth, user.id, token)
}

async function personOf(auth: Auth, userId: string, token: string): Promise<SignedInPerson> {
  const key = async (...scopes: readonly ApiScope[]) => {
    const caller = await auth.callerOfSession(token)
    if (!caller) throw new Error('the session does not work')
    const created = await auth.createApiKey(caller, { name: scopes.join(), scopes })
    return { authorization: `Bearer ${created.key}` }
  }
  return { userId, session: { cookie: `oncall_session=${token}` }, key }
}

/** Plain `node:http`: `fetch` does not let a test choose the Host header. */
async function send(options: RequestOptions, body?: string | Uint8Array): Promise<Answered> {
  const sent = request({ host: '127.0.0.1', agent: false, ...options }).end(body)
  // An answer may come, and the connection close, before the whole body is sent.
  sent.on('error', () => undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await response.toArray())
  const { statusCode: status = 0, headers } = response
  const isJson = (headers['content-type'] ?? '').startsWith('application/json') && bytes.length > 0
  return { status, headers, body: isJson ? JSON.parse(bytes.toString()) : bytes.toString(), bytes }
}
