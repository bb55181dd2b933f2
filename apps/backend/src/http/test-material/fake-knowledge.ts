import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AppError,
  type DocumentView,
  type IndexTask,
  type KnowledgeBaseView,
  type Page,
  type Reader,
  type UploadAnswer
} from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { KnowledgeService, ReceivedFile } from '../../knowledge/index.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = { pdf: 'application/pdf', html: 'text/html' }

/** Knowledge without parsing or index, for tests of the protocol: one base a user, documents in memory, files on disk. */
export function fakeKnowledge(directory: string, bytesLimit = 1_000_000): KnowledgeService {
  const stored = new Map<string, { readonly document: DocumentView; readonly path: string }>()
  const found = (caller: Caller, id: string) => {
    const known = stored.get(id)
    if (known?.document.tenantId !== caller.tenantId) throw notFound(id)
    return known
  }
  const store = (caller: Caller, file: ReceivedFile, id: string, version: number): DocumentView => {
    const document = { ...documentView(caller, file), id, version }
    stored.set(id, { document, path: file.path })
    return document
  }
  return {
    createBase: async (caller, { name, description }) => ({ ...baseView(caller), name, description }),
    bases: async (caller) => pageOf([baseView(caller)]),
    base: async (caller, id) => ownBase(caller, id),
    changeBase: async (caller, id, change) => ({ ...ownBase(caller, id), name: change.name ?? 'base' }),
    deleteBase: async (caller, id) => void ownBase(caller, id),
    readers: async (caller, id) => pageOf<Reader>(ownBase(caller, id) && []),
    addReader: async (caller, id, person) => ownBase(caller, id) && { userId: person, username: person, grantedAt: 1 },
    removeReader: async (caller, id) => void ownBase(caller, id),

    receive: async (fileName, content) => receive(directory, bytesLimit, fileName, content),
    discard: async (files) => {
      const taken = new Set([...stored.values()].map(({ path }) => path))
      for (const { path } of files) if (!taken.has(path)) rmSync(path, { force: true })
    },
    upload: async (caller, id, form, files) => {
      ownBase(caller, id)
      const fresh = files.filter(({ sha256 }) => ![...stored.values()].some((each) => each.document.sha256 === sha256))
      if (fresh.length === 0) throw new AppError('CONFLICT', { operation: 'upload' })
      return uploaded(
        fresh.map((file) => store(caller, file, randomUUID(), 1)),
        form.index
      )
    },
    replace: async (caller, id, form, file) =>
      uploaded([store(caller, file, id, found(caller, id).document.version + 1)], form.index),

    documents: async (caller, id) =>
      pageOf(ownBase(caller, id) && [...stored.values()].map(({ document }) => document)),
    document: async (caller, id) => found(caller, id).document,
    content: async (caller, id) => ({ ...found(caller, id).document, path: found(caller, id).path }),
    text: async (caller, id, version = 1) => ({
      documentId: found(caller, id).document.id,
      version,
      title: '',
      text: ''
    }),
    chunks: async (caller, id) => pageOf(found(caller, id) && []),
    deleteDocument: async (caller, id) => void (found(caller, id) && stored.delete(id)),

    createTask: async (caller, id) => taskOf(found(caller, id).document),
    baseTasks: async (caller, id) => pageOf<IndexTask>(ownBase(caller, id) && []),
    documentTasks: async (caller, id) => pageOf([taskOf(found(caller, id).document)]),
    task: async (_caller, id) => Promise.reject(notFound(id)),
    retryTask: async (_caller, id) => Promise.reject(notFound(id)),
    cancelTask: async (_caller, id) => Promise.reject(notFound(id))
  }
}

function ownBase(caller: Caller, id: string): KnowledgeBaseView {
  if (id !== baseOf(caller.userId)) throw notFound(id)
  return baseView(caller)
}

/** Id of the one base of a user. */
export function baseOf(userId: string): string {
  return `base-of-${userId}`
}

async function receive(
  directory: string,
  bytesLimit: number,
  fileName: string,
  content: AsyncIterable<Uint8Array>
): Promise<ReceivedFile> {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, randomUUID())
  const hash = createHash('sha256')
  const file = await open(path, 'wx')
  let byteSize = 0
  try {
    for await (const chunk of content) {
      byteSize += chunk.length
      if (byteSize > bytesLimit) throw new AppError('PAYLOAD_TOO_LARGE', { operation: 'receive', subject: fileName })
      hash.update(chunk)
      await file.write(chunk)
    }
    return { fileName, path, byteSize, sha256: hash.digest('hex') }
  } catch (failed) {
    if (existsSync(path)) rmSync(path)
    throw failed
  } finally {
    await file.close()
  }
}

function pageOf<Item>(items: readonly Item[]): Page<Item> {
  return { items, nextCursor: null, total: items.length }
}

function baseView({ userId, tenantId }: Caller): KnowledgeBaseView {
  const documents = { total: 0, indexed: 0, indexing: 0, pending: 0, failed: 0 }
  const own = { id: baseOf(userId), ownerUserId: userId, tenantId, access: 'owner', origin: 'uploads' } as const
  return { ...own, name: 'base', description: '', documents, createdAt: 1, updatedAt: 1 }
}

function documentView({ userId, tenantId }: Caller, { fileName, byteSize, sha256 }: ReceivedFile): DocumentView {
  return {
    id: '',
    knowledgeBaseId: baseOf(userId),
    ownerUserId: userId,
    tenantId,
    fileName,
    title: null,
    mediaType: MEDIA_TYPES[fileName.split('.').at(-1) ?? ''] ?? 'text/markdown',
    format: 'markdown',
    byteSize,
    sha256,
    version: 1,
    indexedVersion: null,
    status: 'active',
    indexStatus: 'pending',
    failure: null,
    warnings: [],
    attributes: { knowledgeType: null, project: null, equipment: null, errorCodes: [] },
    metadata: {},
    chunkCount: 0,
    createdAt: 1,
    updatedAt: 1
  }
}

function taskOf({ id, knowledgeBaseId, version, fileName }: DocumentView): IndexTask {
  return {
    id: `task-of-${id}`,
    documentId: id,
    knowledgeBaseId,
    documentVersion: version,
    fileName,
    status: 'pending',
    reason: null,
    attempt: 0,
    progress: { chunksEmbedded: 0, chunksTotal: null },
    cancelRequested: false,
    retryOfTaskId: null,
    createdAt: 1,
    startedAt: null,
    finishedAt: null
  }
}

function uploaded(documents: readonly DocumentView[], index: boolean): UploadAnswer {
  const all = documents.map((document) => ({ document, task: index ? taskOf(document) : null }))
  const [first] = all
  if (!first) throw new AppError('VALIDATION_FAILED', { operation: 'upload' })
  return { ...first, documents: all, refused: [] }
}

function notFound(subject: string): AppError {
  return new AppError('NOT_FOUND', { operation: 'find', subject })
}
