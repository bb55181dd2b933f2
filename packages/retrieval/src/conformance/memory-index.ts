import { scopeViolation, searchedText } from '../evidence/index.ts'
import { chunkIdOf, PortError } from '../ports/index.ts'
import type * as ports from '../ports/index.ts'
import { bm25lScores, topScores } from '../scoring/index.ts'
import { DEFAULT_KNOWLEDGE_TYPES } from '../structured/index.ts'
import { tokenize } from '../tokens/index.ts'
import { MemoryStructuredIndex } from './structured/memory-structured-index.ts'

interface Entry {
  readonly document: ports.IndexedDocument
  readonly chunks: readonly StoredEntry[]
}

interface StoredEntry {
  readonly stored: ports.StoredChunk
  readonly tokens: readonly string[]
  readonly vector: Float32Array
  readonly tokenVectors?: Uint8Array
}

/**
 * A knowledge index that looks at every chunk for every question: nothing is faster, nothing is approximate.
 * The suites compare with it, and it is the rival that a real engine has to beat.
 */
export class MemoryIndex implements ports.KnowledgeIndex {
  readonly engine = 'memory'
  readonly #dimension: number
  readonly #entries = new Map<string, Entry>()
  #revision = 0
  #closed = false

  readonly structured: MemoryStructuredIndex

  constructor(dimension: number, knowledgeTypes = DEFAULT_KNOWLEDGE_TYPES) {
    this.#dimension = dimension
    this.structured = new MemoryStructuredIndex({ dimension, knowledgeTypes })
  }

  readonly lexical: ports.LexicalIndex = {
    search: async ({ tokens, scope, limit }, signal) => {
      this.#open(signal)
      const chunks = this.chunksIn(scope)
      const scores = bm25lScores(
        tokens,
        chunks.map((chunk) => chunk.tokens)
      )
      return this.#recall(topScores(scores, limit).map((index) => ({ chunk: chunks[index]!, score: scores[index]! })))
    },
    statistics: async (terms, scope, signal) => {
      this.#open(signal)
      const chunks = this.chunksIn(scope)
      const length = chunks.reduce((sum, chunk) => sum + chunk.tokens.length, 0)
      return {
        chunks: chunks.length,
        averageLength: chunks.length === 0 ? 0 : length / chunks.length,
        frequency: terms.map((term) => chunks.filter((chunk) => chunk.tokens.includes(term)).length)
      }
    }
  }

  readonly vector: ports.VectorIndex = {
    capabilities: { exact: true },
    search: async ({ vector, scope, limit }, signal) => {
      this.#open(signal)
      this.#checkVector(vector, 'search vectors')
      const scored = this.chunksIn(scope).map((chunk) => ({ chunk, score: cosine(vector, chunk.vector) }))
      return this.#recall(scored.toSorted((left, right) => right.score - left.score).slice(0, limit))
    }
  }

  readonly chunks: ports.ChunkReader = {
    read: async ({ chunkIds, scope, withVectors, withTokenVectors }, signal) => {
      this.#open(signal)
      const byId = new Map(this.chunksIn(scope).map((chunk) => [chunk.stored.chunkId, chunk]))
      return chunkIds.flatMap((id) => {
        const chunk = byId.get(id)
        if (chunk === undefined) return []
        const tokenVectors = withTokenVectors ? chunk.tokenVectors : undefined
        return {
          ...chunk.stored,
          ...(withVectors ? { vector: chunk.vector } : {}),
          ...(tokenVectors === undefined ? {} : { tokenVectors })
        }
      })
    }
  }

  readonly writer: ports.DocumentWriter = {
    replaceDocument: async (document, chunks, entry) => {
      this.#open()
      for (const { vector } of chunks) this.#checkVector(vector, 'replace document')
      if (new Set(chunks.map((chunk) => chunk.sequence)).size < chunks.length) {
        throw invalid('replace document', document.documentId, 'two chunks have one sequence')
      }
      if (entry === undefined) this.structured.forget(document, document.documentId)
      else if (keyOf(entry, entry.documentId) === keyOf(document, document.documentId)) this.structured.put(entry)
      else throw invalid('replace document', document.documentId, 'the entry is of another document')
      const inOrder = chunks.toSorted((left, right) => left.sequence - right.sequence)
      this.#entries.set(keyOf(document, document.documentId), {
        document,
        chunks: inOrder.map((chunk) => entryOf(document, chunk))
      })
      this.#revision++
    },
    deleteDocument: async (pair, documentId) => {
      this.#open()
      const had = [this.#entries.delete(keyOf(pair, documentId)), this.structured.forget(pair, documentId)]
      const existed = had.includes(true)
      if (existed) this.#revision++
      return existed
    },
    listDocuments: async (pair) => {
      this.#open()
      const listed = this.#inCorpusOrder().filter(({ document }) => isOf(pair, document))
      return listed.map(({ document, chunks }) => ({ ...document, chunks: chunks.length }))
    }
  }

  async *entries(signal?: AbortSignal): AsyncGenerator<ports.StructuredEntry> {
    this.#open(signal)
    yield* this.structured.all()
  }

  async entry(pair: ports.ReadablePair, documentId: string): Promise<ports.StructuredEntry | undefined> {
    this.#open()
    return this.structured.all().find((entry) => keyOf(entry, entry.documentId) === keyOf(pair, documentId))
  }

  async warm(): Promise<void> {
    this.#open()
  }

  async size(): Promise<ports.IndexSize> {
    this.#open()
    const entries = [...this.#entries.values()]
    const chunks = entries.reduce((sum, entry) => sum + entry.chunks.length, 0)
    return { documents: entries.length, chunks, bytesOnDisk: 0, revision: this.#revision }
  }

  async verify(): Promise<readonly string[]> {
    this.#open()
    return []
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#entries.clear()
    await this.structured.close()
  }

  /** The chunks of a scope in corpus order. */
  protected chunksIn(scope: ports.Scope): StoredEntry[] {
    const all = this.#inCorpusOrder().flatMap((entry) => entry.chunks)
    return all.filter(({ stored }) => this.isInScope(stored, scope))
  }

  protected isInScope(stored: ports.StoredChunk, scope: ports.Scope): boolean {
    const { tenantId, knowledgeBaseId, documentId } = stored.document
    return scopeViolation({ tenantId, knowledgeBaseId, documentId, metadata: stored.metadata }, scope) === null
  }

  #inCorpusOrder(): Entry[] {
    return [...this.#entries.values()].toSorted((left, right) => byCorpusOrder(left.document, right.document))
  }

  #recall(scored: readonly { chunk: StoredEntry; score: number }[]): ports.Recall {
    const hits = scored.map(({ chunk: { stored }, score }) => ({
      chunkId: stored.chunkId,
      documentId: stored.document.documentId,
      documentVersion: stored.document.version,
      score
    }))
    return { hits, revision: this.#revision }
  }

  #checkVector(vector: Float32Array, operation: string): void {
    if (vector.length === this.#dimension && vector.every(Number.isFinite)) return
    throw invalid(operation, 'vector', `must have ${this.#dimension} finite numbers`)
  }

  #open(signal?: AbortSignal): void {
    signal?.throwIfAborted()
    if (!this.#closed) return
    throw new PortError('closed', { operation: 'use index', subject: this.engine, reason: 'it was closed' })
  }
}

/** Corpus order of documents: creation time, then id. */
export function byCorpusOrder(left: ports.IndexedDocument, right: ports.IndexedDocument): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt
  if (left.documentId === right.documentId) return 0
  return left.documentId < right.documentId ? -1 : 1
}

function entryOf(document: ports.IndexedDocument, chunk: ports.ChunkToPublish): StoredEntry {
  const { sequence, headingPath, content, start, end, tokenCount, vector, tokenVectors } = chunk
  const metadata = { ...document.metadata, ...chunk.metadata }
  const chunkId = chunkIdOf(document.documentId, sequence)
  return {
    stored: { chunkId, document, sequence, headingPath, content, start, end, metadata, tokenCount },
    tokens: tokenize(searchedText({ title: document.title, headingPath, content })),
    vector,
    ...(tokenVectors === undefined ? {} : { tokenVectors })
  }
}

function isOf(pair: ports.ReadablePair, document: ports.IndexedDocument): boolean {
  return pair.tenantId === document.tenantId && pair.knowledgeBaseId === document.knowledgeBaseId
}

function keyOf(pair: ports.ReadablePair, documentId: string): string {
  return JSON.stringify([pair.tenantId, pair.knowledgeBaseId, documentId])
}

function cosine(left: Float32Array, right: Float32Array): number {
  let dot = 0
  for (let index = 0; index < left.length; index++) dot += left[index]! * right[index]!
  return dot
}

function invalid(operation: string, subject: string, reason: string): PortError {
  return new PortError('invalid-argument', { operation, subject, reason })
}
