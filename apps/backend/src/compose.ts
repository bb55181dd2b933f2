import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createBundledEmbedder, createBundledReranker } from '@oncall-agent/bundled-models'
import {
  beginReplacement,
  createNextGeneration,
  openEmbeddedIndex,
  storedFingerprint
} from '@oncall-agent/engines/embedded'
import type { Embedder, EmbedderFingerprint } from '@oncall-agent/retrieval'
import type { Application, OpenOptions } from './cli/index.ts'
import { askLocally } from './composition/chat-ask.ts'
import { forgetLocally, indexFolderLocally, recordedRun, retrieveLocally } from './composition/local-commands.ts'
import { searchLocally } from './composition/local-search.ts'
import { openOnce } from './composition/open-once.ts'
import { doctor } from './composition/doctor.ts'
import { backUp, manageUsers, restore } from './composition/operate.ts'
import { serveMcp } from './composition/mcp.ts'
import type { ClosableReranker, Parts } from './composition/parts.ts'
import { fillSearchEngineLocally, reindexLocally } from './composition/reindex.ts'
import { serve, work } from './composition/serve.ts'
import { tuneLocally } from './composition/tune.ts'
import { describeSettings, loadSettings, type Settings } from './config/index.ts'
import type { IndexGenerations, TokenCounterModule } from './knowledge/index.ts'
import {
  createDashScopeReranker,
  createJinaReranker,
  createOpenAiEmbedder,
  remoteTokenCounter,
  withOwnVectors
} from './models/index.ts'
import { createLogger, translatePortError } from './observability/index.ts'
import { openBusinessStore } from './store/index.ts'

/**
 * Puts one process together: the only place that names concrete engines and models. Nothing is opened or loaded
 * before its first use.
 * @throws AppError CONFIG_INVALID
 */
export async function compose({ dataDirectory, logs = false }: OpenOptions, version: string): Promise<Application> {
  const settings = loadSettings(dataDirectory === undefined ? {} : { overrides: { data: { dir: dataDirectory } } })
  const parts = createParts(settings, version, logs)
  return {
    dataDirectory: parts.dataDirectory,
    describeSettings: () => describeSettings(settings),
    indexFolder: (request, watch) => indexFolderLocally(parts, request, watch),
    forget: (request) => forgetLocally(parts, request),
    reindex: (request, watch) => reindexLocally(parts, request, watch),
    fillSearchEngine: (watch) => fillSearchEngineLocally(parts, watch),
    retrieve: (request, signal) => retrieveLocally(parts, request, signal),
    ask: (command, watch) => askLocally(parts, command, watch),
    search: (command, signal) => searchLocally(parts, command, signal),
    tune: (request, watch) => tuneLocally(parts, request, watch),
    run: (runId) => recordedRun(parts, runId),
    doctor: (request) => doctor(parts, request),
    serve: (signal, onListening) => serve(parts, signal, onListening),
    work: (signal, onReady) => work(parts, signal, onReady),
    serveMcp: (streams, signal) => serveMcp(parts, streams, signal),
    backUp: (file, signal) => backUp(parts, file, signal),
    restore: (file, signal) => restore(parts, file, signal),
    users: (request) => manageUsers(parts, request),
    close: () => closeParts(parts)
  }
}

function createParts(settings: Settings, version: string, logs: boolean): Parts {
  // A command tells its errors itself, in words; only a server needs lines for later.
  const level = logs ? settings.observability.logLevel : 'silent'
  const logger = createLogger({ level, secrets: secretsOf(settings) })
  const dataDirectory = resolve(settings.data.dir)
  const embedder = createEmbedder(settings)
  const store = openOnce(async () => openBusinessStore(dataDirectory))
  const index = openOnce(async () => {
    try {
      return await openEmbeddedIndex({
        directory: dataDirectory,
        fingerprint: embedder.fingerprint,
        knowledgeTypes: settings.search.knowledgeTypes,
        onBackgroundFailure: (err) => logger.error({ err }, 'compaction failed')
      })
    } catch (thrown) {
      throw translatePortError(thrown)
    }
  })
  const reranker = createReranker(settings)
  return {
    version,
    settings,
    logger,
    dataDirectory,
    embedder,
    reranker,
    tokenCounter: tokenCounterOf(settings),
    store,
    index,
    ...searchParts(settings, embedder.fingerprint, { index, logger }),
    generations: () => embeddedGenerations(dataDirectory, embedder.fingerprint, settings.search)
  }
}

/** Structured search looks in the index itself, or in an engine elsewhere that holds a copy of the index's entries. */
function searchParts(
  { search }: Settings,
  fingerprint: EmbedderFingerprint,
  { index, logger }: Pick<Parts, 'index' | 'logger'>
): Pick<Parts, 'structured' | 'searchEngine'> {
  const { engine, url, username, password, apiKey, knowledgeTypes, timeoutMs, retries, shards, replicas } = search
  if (engine === 'embedded') return { structured: openOnce(async () => (await index.get()).structured) }
  const searchEngine = openOnce(async () => {
    // Loaded only where it is chosen: the client of the engine is a tenth of a second's worth of code.
    const { openSearchEngineIndex } = await import('@oncall-agent/engines/opensearch')
    try {
      return openSearchEngineIndex({
        engine,
        url,
        ...(username === '' ? {} : { username, password }),
        ...(apiKey === '' ? {} : { apiKey }),
        fingerprint,
        knowledgeTypes,
        timeoutMs,
        retries,
        shards,
        replicas,
        onBackgroundFailure: (err) => logger.warn({ err }, 'an index that is of no use any more was left behind')
      })
    } catch (thrown) {
      throw translatePortError(thrown)
    }
  })
  return { structured: searchEngine, searchEngine }
}

function secretsOf({ embedding, rerank, chat, search, alerts, mcp }: Settings): readonly string[] {
  const keys = [embedding.apiKey, rerank.apiKey, chat.apiKey, search.apiKey, search.password, mcp.secretKey]
  return [...keys, alerts.prometheusAccessToken, alerts.alertmanagerAccessToken]
}

/** The old index as it is, and a new one in a folder beside it. */
function embeddedGenerations(
  directory: string,
  fingerprint: EmbedderFingerprint,
  { knowledgeTypes }: Settings['search']
): IndexGenerations {
  const next = join(directory, 'reindex')
  const discardNext = () => rm(next, { recursive: true, force: true })
  return {
    openOld: () =>
      openEmbeddedIndex({ directory, fingerprint: storedFingerprint(directory) ?? fingerprint, knowledgeTypes }),
    openNext: async () => {
      const { lexicalTokenizer: _, ...begun } = storedFingerprint(next) ?? { lexicalTokenizer: '', ...fingerprint }
      // What was begun for another model is of no use to this one.
      if (!isDeepStrictEqual(begun, fingerprint)) await discardNext()
      createNextGeneration({ directory, next, fingerprint })
      return openEmbeddedIndex({ directory: next, fingerprint, knowledgeTypes })
    },
    beginReplacement: () => beginReplacement(directory, next),
    discardNext
  }
}

function createEmbedder({ embedding, rerank }: Settings): Embedder {
  if (embedding.provider === 'openai') return createOpenAiEmbedder(embedding)
  const { threads } = embedding
  return createBundledEmbedder({ tokenVectors: rerank.tokenVectors, ...(threads === 0 ? {} : { threads }) })
}

/** The model's own count, so that no chunk is longer than what the model reads. */
function tokenCounterOf({ embedding }: Settings): TokenCounterModule {
  if (embedding.provider === 'openai') return remoteTokenCounter
  return { moduleUrl: import.meta.resolve('@oncall-agent/bundled-models'), exportName: 'createTokenCounter' }
}

/** The bundled reranker reads the vectors of the bundled embedder; beside a remote one it makes its own. */
function createReranker({ embedding, rerank }: Settings): ClosableReranker {
  if (rerank.provider === 'dashscope') return createDashScopeReranker(rerank)
  if (rerank.provider === 'jina') return createJinaReranker(rerank)
  const { tokenVectors } = rerank
  const reranker = createBundledReranker({ tokenVectors })
  if (embedding.provider === 'bundled') return reranker
  const embedder = createBundledEmbedder({ tokenVectors })
  const close = async (): Promise<void> => void (await Promise.all([reranker.close(), embedder.close()]))
  return { ...withOwnVectors(reranker, embedder), close }
}

async function closeParts({ index, searchEngine, store, embedder, reranker }: Parts): Promise<void> {
  await Promise.all([
    index.close((opened) => opened.close()),
    searchEngine?.close((opened) => opened.close()),
    store.close((opened) => opened.close()),
    embedder.close(),
    reranker.close()
  ])
}
