import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DocumentWriter, Embedder, PassageEmbedding, QueryEmbedding, StoredChunk } from '@oncall-agent/retrieval'
import { MemoryIndex, vectorOfText } from '@oncall-agent/retrieval/conformance'
import { type DocumentExtractor, createDocumentExtractor } from '../extract/document-extractor.ts'
import { type IndexFolderRequest, indexFolder } from '../index-folder.ts'
import type { IndexingDependencies } from '../index-run.ts'
import type { IndexReport } from '../run-report.ts'
import { defaultKnowledgeSettings } from '../settings.ts'

const dimension = 16
const base = { knowledgeBaseId: 'kb', tenantId: 'local', ownerUserId: 'ana' }

/** A small embedder that is the same everywhere: vectors by the hash of the text. Faults are put in by a test. */
export class HashEmbedder implements Embedder {
  readonly fingerprint
  readonly limits = { maxTokens: 512, batchSize: 4 }
  readonly keepsTokenVectors = false
  readonly state = 'warm'
  readonly batches: (readonly string[])[] = []
  /** Replaces the answer to a batch; called with its number from 0. */
  fault: ((answers: PassageEmbedding[], batch: number, signal?: AbortSignal) => unknown) | undefined

  constructor(model = 'hash') {
    this.fingerprint = { model, dimension, normalised: true, tokenizerVersion: '1' }
  }

  async warm(): Promise<void> {}
  async close(): Promise<void> {}

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly PassageEmbedding[]> {
    this.batches.push(texts)
    const answers = texts.map((text) => ({ vector: vectorOfText(text, dimension), tokenCount: text.length }))
    const replaced = await this.fault?.(answers, this.batches.length - 1, signal)
    return replaced === undefined ? answers : (replaced as PassageEmbedding[])
  }

  async embedQuery(text: string): Promise<QueryEmbedding> {
    return { vector: vectorOfText(text, dimension), tokenCount: text.length }
  }
}

/** A folder, an index in memory and everything between them. */
export class IndexingBench {
  readonly scratch = mkdtempSync(join(tmpdir(), 'oncall-index-'))
  readonly folder = join(this.scratch, 'runbooks')
  readonly index = new MemoryIndex(dimension)
  readonly embedder = new HashEmbedder()
  readonly extractor: DocumentExtractor = createDocumentExtractor({ limits: defaultKnowledgeSettings.extraction })
  now = 1_700_000_000_000

  constructor() {
    mkdirSync(this.folder)
  }

  put(path: string, content: string | Uint8Array): string {
    const file = join(this.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true })
  }

  dependencies(more: Partial<IndexingDependencies> = {}): IndexingDependencies {
    return {
      index: this.index.writer,
      embedder: this.embedder,
      extractor: this.extractor,
      settings: defaultKnowledgeSettings,
      clock: () => this.now,
      dataDirectory: join(this.scratch, 'data'),
      ...more
    }
  }

  run(request: Partial<IndexFolderRequest> = {}, more: Partial<IndexingDependencies> = {}): Promise<IndexReport> {
    return indexFolder({ paths: [this.folder], knowledgeBase: base, ...request }, this.dependencies(more))
  }

  /** What a reader finds now: the content of every chunk, by source. */
  async contents(): Promise<Record<string, string>> {
    const documents = await this.index.writer.listDocuments(base)
    const found: Record<string, string> = {}
    for (const { documentId, source } of documents) {
      found[source] = (await this.chunksOf(documentId)).map((chunk) => chunk.content).join('|')
    }
    return found
  }

  async chunksOf(documentId: string): Promise<readonly StoredChunk[]> {
    const listed = (await this.index.writer.listDocuments(base)).find((document) => document.documentId === documentId)
    const chunkIds = Array.from(
      { length: listed?.chunks ?? 0 },
      (_, at) => `${documentId}#${String(at).padStart(4, '0')}`
    )
    return this.index.chunks.read({ chunkIds, scope: { pairs: [base] }, withVectors: true, withTokenVectors: false })
  }

  documents(): ReturnType<DocumentWriter['listDocuments']> {
    return this.index.writer.listDocuments(base)
  }

  close(): void {
    this.extractor.close()
    rmSync(this.scratch, { recursive: true, force: true })
  }
}
