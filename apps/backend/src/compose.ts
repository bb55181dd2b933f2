import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError, type ReadinessPart } from '@oncall-agent/api-contracts'
import { createBundledEmbedder, createBundledReranker } from '@oncall-agent/bundled-models'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { DocumentWriter, EvidenceAnswer, ReadablePair } from '@oncall-agent/retrieval'
import { knowledgeBaseName, LOCAL_TENANT, localReader } from './auth/index.ts'
import type { Application, IndexRequest, IndexWatch, OpenOptions, RetrieveRequest } from './cli/index.ts'
import { describeSettings, loadSettings, type Settings } from './config/index.ts'
import type { HttpDependencies } from './http/index.ts'
import {
  createDocumentExtractor,
  examine,
  type ForgetReport,
  forgetPaths,
  type IndexReport,
  indexFolder,
  resolveRoots
} from './knowledge/index.ts'
import { createLogger, type Probe, probeAll, translatePortError } from './observability/index.ts'
import { knowledgeSettings } from './knowledge-settings.ts'
import { openOnce } from './open-once.ts'
import { createSearch, type EvidenceLimits, type RunRecord, type Search } from './search/index.ts'
import { openBusinessStore } from './store/index.ts'

/** Where the child process that cuts documents finds the model's own count of tokens. */
const tokenCounter = {
  moduleUrl: import.meta.resolve('@oncall-agent/bundled-models'),
  exportName: 'createTokenCounter'
}

/**
 * Puts one process together: the only place that names concrete engines and models. Nothing is opened or loaded
 * before its first use.
 * @throws AppError CONFIG_INVALID
 */
export async function compose({ dataDirectory, logs = false }: OpenOptions, version: string): Promise<Application> {
  const settings = loadSettings(dataDirectory === undefined ? {} : { overrides: { data: { dir: dataDirectory } } })
  const parts = createParts(settings, logs)
  return {
    dataDirectory: parts.dataDirectory,
    describeSettings: () => describeSettings(settings),
    indexFolder: (request, watch) => indexFolderLocally(parts, request, watch),
    forget: (request) => forgetLocally(parts, request),
    retrieve: (request, signal) => retrieveLocally(parts, request, signal),
    run: (runId) => recordedRun(parts, runId),
    doctor: async (request) => {
      expectData(parts)
      const checks = await examine(request, { ...parts, facts: parts.store.get, index: parts.index.get })
      return { healthy: checks.every((check) => check.ok), checks }
    },
    serve: (signal, onListening) => serve(parts, version, signal, onListening),
    close: () => closeParts(parts)
  }
}

type Parts = ReturnType<typeof createParts>

function createParts(settings: Settings, logs: boolean) {
  // A command tells its errors itself, in words; only a server needs lines for later.
  const logger = createLogger({ level: logs ? settings.observability.logLevel : 'silent' })
  const dataDirectory = resolve(settings.data.dir)
  const { tokenVectors } = settings.rerank
  const { threads } = settings.embedding
  const embedder = createBundledEmbedder({ tokenVectors, ...(threads === 0 ? {} : { threads }) })
  const reranker = createBundledReranker({ tokenVectors })
  const store = openOnce(async () => openBusinessStore(dataDirectory))
  const index = openOnce(async () => {
    try {
      return await openEmbeddedIndex({
        directory: dataDirectory,
        fingerprint: embedder.fingerprint,
        onBackgroundFailure: (err) => logger.error({ err }, 'compaction failed')
      })
    } catch (thrown) {
      throw translatePortError(thrown)
    }
  })
  return { settings, logger, dataDirectory, embedder, reranker, store, index }
}

async function searchOf({ settings, logger, embedder, reranker, store, index }: Parts): Promise<Search> {
  return createSearch({
    parts: { index: await index.get(), embedder, reranker, limits: evidenceLimits(settings) },
    runs: (await store.get()).runs,
    onUnrecorded: (runId, err) => logger.error({ runId, err }, 'the run could not be recorded')
  })
}

async function closeParts({ index, store, embedder, reranker }: Parts): Promise<void> {
  await Promise.all([
    index.close((opened) => opened.close()),
    store.close((opened) => opened.close()),
    embedder.close(),
    reranker.close()
  ])
}

async function indexFolderLocally(
  parts: Parts,
  { paths, knowledgeBase }: IndexRequest,
  { signal, onProgress }: IndexWatch
): Promise<IndexReport> {
  // Before a data folder is made: a mistyped path must not leave one that looks as if something were in it.
  const name = knowledgeBaseName(knowledgeBase)
  await resolveRoots(paths)
  const knowledge = knowledgeSettings(parts.settings)
  const extractor = createDocumentExtractor({ limits: knowledge.extraction, tokenCounter })
  try {
    const base = await (await parts.store.get()).knowledgeBases.ensure(LOCAL_TENANT, name)
    const { writer } = await parts.index.get()
    const target = { knowledgeBaseId: base.id, tenantId: LOCAL_TENANT, ownerUserId: LOCAL_TENANT }
    return await indexFolder(
      { paths, knowledgeBase: target, signal, onProgress },
      { index: writer, embedder: parts.embedder, extractor, settings: knowledge, dataDirectory: parts.dataDirectory }
    )
  } catch (thrown) {
    throw translatePortError(thrown)
  } finally {
    extractor.close()
  }
}

async function forgetLocally(parts: Parts, { paths, knowledgeBase }: IndexRequest): Promise<ForgetReport> {
  expectData(parts)
  const caller = await localReader(await parts.store.get(), [knowledgeBaseName(knowledgeBase)])
  const { dataDirectory, index } = parts
  const { writer } = await index.get()
  const [base] = caller.readable
  if (base === undefined) throw nothingIndexed(parts)
  return forgetPaths({ paths, knowledgeBase: { ...base, ownerUserId: caller.userId }, dataDirectory }, writer)
}

async function retrieveLocally(
  parts: Parts,
  { query, topK, knowledgeBases, documentIds, metadata }: RetrieveRequest,
  signal: AbortSignal
): Promise<EvidenceAnswer> {
  expectData(parts)
  // Opened first: on the command line a damaged or newer index is told as what it is.
  const index = await parts.index.get()
  const caller = await localReader(await parts.store.get(), knowledgeBases)
  const filters = {
    ...(documentIds.length === 0 ? {} : { documentIds }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata })
  }
  const search = await searchOf(parts)
  const answer = await search.toolFor(caller)({ query, ...(topK === undefined ? {} : { topK }), filters }, signal)
  if (answer.results.length > 0) return answer
  if ((await index.size()).chunks === 0) throw nothingIndexed(parts)
  await expectDocuments(index.writer, caller.readable, documentIds)
  return answer
}

/** "Nothing found" in a document that does not exist would read like "nothing is written about it". */
async function expectDocuments(
  writer: DocumentWriter,
  readable: readonly ReadablePair[],
  documentIds: readonly string[]
): Promise<void> {
  if (documentIds.length === 0) return
  const listed = await Promise.all(readable.map((pair) => writer.listDocuments(pair)))
  const known = new Set(listed.flat().map(({ documentId }) => documentId))
  const missing = documentIds.find((documentId) => !known.has(documentId))
  if (missing === undefined) return
  throw new AppError('NOT_FOUND', {
    operation: 'choose document',
    subject: missing,
    message: `There is no document ${missing} in what was asked.`,
    hint: 'Every piece of evidence names its document; --kb may leave it out.'
  })
}

async function recordedRun({ store }: Parts, runId: string): Promise<RunRecord | undefined> {
  const run = await (await store.get()).runs.find(LOCAL_TENANT, runId)
  return run?.record as RunRecord | undefined
}

async function serve(
  parts: Parts,
  version: string,
  signal: AbortSignal,
  onListening: (address: string) => void
): Promise<void> {
  // The server's code is loaded only here, for every other command would pay for it with nothing in return; meanwhile
  // the folder is opened: one that this version can not serve stops the start, not the first question.
  const [{ createHttpServer }] = await Promise.all([import('./http/index.ts'), parts.store.get(), parts.index.get()])
  const server = await createHttpServer(httpDependencies(parts, version))
  try {
    // A copy, because the server writes into what it is given and settings are frozen.
    onListening(await server.listen({ ...parts.settings.server }).catch(explainListening(parts)))
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await server.close()
  }
}

function httpDependencies(parts: Parts, version: string): HttpDependencies {
  return {
    logger: parts.logger,
    version,
    retrieve: async (request, { signal }) => {
      const caller = await localReader(await parts.store.get())
      return (await searchOf(parts)).toolFor(caller)(request, signal)
    },
    findRun: async (runId) => (await parts.store.get()).runs.find(LOCAL_TENANT, runId),
    readiness: () => readiness(parts)
  }
}

function readiness(parts: Parts): Promise<readonly ReadinessPart[]> {
  const probes: readonly Probe[] = [
    {
      name: 'business store',
      unavailable: 'The business store is unavailable.',
      check: async () =>
        `knowledge bases: ${(await (await parts.store.get()).knowledgeBases.ofTenant(LOCAL_TENANT)).length}`
    },
    {
      name: 'knowledge index',
      unavailable: 'The knowledge index is unavailable.',
      check: async () => `chunks: ${(await (await parts.index.get()).size()).chunks}`
    },
    {
      name: 'embedder',
      unavailable: 'The embedding model is unavailable.',
      check: async () => modelState(parts.embedder.state)
    }
  ]
  return probeAll(probes, (part, err) => parts.logger.error({ part, err }, 'a part is not ready'))
}

/** A model that is not loaded yet is ready all the same: its first use loads it. */
function modelState(state: string): string {
  if (state === 'closed' || state === 'failed') throw new Error(`the model is ${state}`)
  return state
}

/** Addresses that can not be had, in words: all of them are settings. */
function explainListening({ settings: { server } }: Parts) {
  return (cause: unknown): never => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const reason = code === 'EADDRINUSE' ? 'is in use by another process' : 'can not be listened on'
    throw new AppError('CONFIG_INVALID', {
      operation: 'listen',
      subject: `${server.host}:${server.port}`,
      message: `Port ${server.port} of ${server.host} ${reason}.`,
      hint: 'Stop what uses it, or choose another port: KB_SERVER__PORT=8001 oncall serve.',
      cause
    })
  }
}

/** An answer about a folder that holds nothing would read like "nothing found". */
function expectData(parts: Parts): void {
  if (!existsSync(join(parts.dataDirectory, 'business.db'))) throw nothingIndexed(parts)
}

function nothingIndexed({ dataDirectory }: Parts): AppError {
  return new AppError('NOT_FOUND', {
    operation: 'open data folder',
    subject: dataDirectory,
    message: `Nothing is indexed in ${dataDirectory} yet.`,
    hint: 'Index something first: oncall index <folder>; or name another folder with --data.'
  })
}

function evidenceLimits({ retrieval }: Settings): EvidenceLimits {
  return {
    candidates: retrieval.candidates,
    deadlineMs: retrieval.deadlineMs,
    embedMs: retrieval.embedDeadlineMs,
    recallMs: retrieval.recallDeadlineMs,
    rerankMs: retrieval.rerankDeadlineMs
  }
}
