import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IndexTask, UploadAnswer, UploadForm } from '@oncall-agent/api-contracts'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { DocumentWriter, KnowledgeIndex } from '@oncall-agent/retrieval'
import type { Caller } from '../../auth/index.ts'
import { createJobWorker, type JobWorker } from '../../jobs/index.ts'
import { createLogger } from '../../observability/index.ts'
import { type BusinessStore, openBusinessStore } from '../../store/index.ts'
import { createDocumentExtractor, type DocumentExtractor } from '../extract/document-extractor.ts'
import { createDocumentLocks } from '../document-locks.ts'
import { createIndexTaskHandler } from '../index-task/index-task-handler.ts'
import type { IndexTaskParts } from '../knowledge-parts.ts'
import { createPurgeDocumentHandler, createPurgeKnowledgeBaseHandler } from '../index-task/purge-handlers.ts'
import { createKnowledgeService } from '../service/create-knowledge-service.ts'
import type { KnowledgeService, ReceivedFile } from '../service/knowledge-service.ts'
import { defaultKnowledgeSettings } from '../settings.ts'
import { HashEmbedder } from './indexing-bench.ts'

export const noForm: UploadForm = { index: false }
export const toBeIndexed: UploadForm = { index: true }

/** The whole service over real facts, a real index and a real worker; only the model is small. */
export class ServiceBench {
  readonly folder: string
  readonly store: BusinessStore
  readonly embedder = new HashEmbedder()
  readonly extractor: DocumentExtractor = createDocumentExtractor({ limits: defaultKnowledgeSettings.extraction })
  readonly index: KnowledgeIndex
  readonly parts: IndexTaskParts
  readonly service: KnowledgeService
  readonly worker: JobWorker
  #people = 0

  private constructor(folder: string, index: KnowledgeIndex, more: Partial<IndexTaskParts>) {
    this.folder = folder
    this.store = openBusinessStore(folder)
    this.index = index
    this.parts = {
      store: this.store,
      index,
      embedder: this.embedder,
      extractor: this.extractor,
      settings: defaultKnowledgeSettings,
      dataDirectory: this.folder,
      locks: createDocumentLocks(),
      maxAttempts: 1,
      onEnqueued: () => this.worker.wake(),
      now: Date.now,
      ...more
    }
    this.service = createKnowledgeService(this.parts)
    this.worker = createJobWorker({
      store: this.store,
      handlers: [
        createIndexTaskHandler(this.parts),
        createPurgeDocumentHandler(this.parts),
        createPurgeKnowledgeBaseHandler(this.parts)
      ],
      workers: 2,
      leaseMs: 2_000,
      keepDays: 1,
      clock: this.parts.now,
      logger: createLogger({ level: 'silent' }),
      backOff: { firstMs: 10, factor: 1, limitMs: 10 }
    })
  }

  /** With a worker that works, unless a test wants to enqueue only. */
  static async open({
    working = true,
    folder = mkdtempSync(join(tmpdir(), 'oncall-service-')),
    ...more
  }: Partial<IndexTaskParts> & { working?: boolean; folder?: string } = {}) {
    const { fingerprint } = new HashEmbedder()
    const bench = new ServiceBench(folder, await openEmbeddedIndex({ directory: folder, fingerprint }), more)
    if (working) bench.worker.start()
    return bench
  }

  async person(role: 'admin' | 'member' = 'member'): Promise<Caller> {
    const id = `user-${++this.#people}`
    await this.store.people.insert({
      id,
      username: `person${this.#people}`,
      passwordHash: '',
      role,
      createdAt: 1,
      disabledAt: null
    })
    const scopes = new Set(['retrieve', 'ingest'] as const)
    return { userId: id, tenantId: id, role, via: 'session', scopes, credentialId: id }
  }

  /** Somebody new with a base of their own. */
  async owner(): Promise<{ readonly caller: Caller; readonly baseId: string }> {
    const caller = await this.person()
    const { id: baseId } = await this.service.createBase(caller, { name: 'runbooks', description: '' })
    return { caller, baseId }
  }

  receive(fileName: string, content: string | Uint8Array): Promise<ReceivedFile> {
    return this.service.receive(fileName, pieces(Buffer.from(content as string)))
  }

  async upload(
    { caller, baseId }: { readonly caller: Caller; readonly baseId: string },
    file: readonly [name: string, content: string | Uint8Array],
    form: UploadForm = noForm
  ): Promise<UploadAnswer> {
    const files = [await this.receive(...file)]
    try {
      return await this.service.upload(caller, baseId, form, files)
    } finally {
      await this.service.discard(files)
    }
  }

  /** Uploads, and waits until it is indexed. Gives the document's id. */
  async indexed(
    of: { readonly caller: Caller; readonly baseId: string },
    ...file: readonly [name: string, content: string | Uint8Array]
  ): Promise<string> {
    const { document, task } = await this.upload(of, file, toBeIndexed)
    const ended = await this.ended(task!.id)
    if (ended.status !== 'succeeded') throw new Error(`${ended.status}: ${ended.reason?.message}`)
    return document.id
  }

  async ended(taskId: string): Promise<IndexTask> {
    return eventually(async () => {
      const task = await this.store.indexTasks.find(taskId)
      return task !== undefined && task.finishedAt !== null ? task : undefined
    })
  }

  /** Waits until no job is waiting or running. */
  async idle(): Promise<void> {
    await eventually(async () => {
      const { waiting, running } = await this.store.jobs.counts(Date.now())
      return waiting + running === 0 ? true : undefined
    })
  }

  /** Content of all chunks of a base that hold a word, as a search finds them, whoever has deleted what. */
  async found(caller: Caller, baseId: string, word: string): Promise<readonly string[]> {
    const scope = { pairs: [{ tenantId: caller.tenantId, knowledgeBaseId: baseId }] }
    const { hits } = await this.index.lexical.search({ tokens: [word], scope, limit: 50 })
    const chunkIds = hits.map((hit) => hit.chunkId)
    const chunks = await this.index.chunks.read({ chunkIds, scope, withVectors: false, withTokenVectors: false })
    return chunks.map((chunk) => chunk.content)
  }

  /** As when the process ends and its folder stays. */
  async end(): Promise<void> {
    await this.worker.stop()
    this.extractor.close()
    await this.index.close()
    await this.store.close()
  }

  async close(): Promise<void> {
    await this.end()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The same index, but that it is written to in another way. */
export function withWriter(index: KnowledgeIndex, writer: Partial<DocumentWriter>): IndexTaskParts['index'] {
  const { chunks, structured } = index
  return {
    chunks,
    structured,
    entry: (pair, documentId) => index.entry(pair, documentId),
    writer: {
      replaceDocument: (...given) => index.writer.replaceDocument(...given),
      deleteDocument: (...given) => index.writer.deleteDocument(...given),
      listDocuments: (...given) => index.writer.listDocuments(...given),
      ...writer
    }
  }
}

export async function* pieces(content: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

/** Longer than any attempt takes on a loaded machine. */
const PATIENCE_MS = 60_000

export async function eventually<Result>(look: () => Promise<Result | undefined>): Promise<Result> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    const result = await look()
    if (result !== undefined) return result
    await sleep(10)
  }
  throw new Error('it did not come to pass')
}
