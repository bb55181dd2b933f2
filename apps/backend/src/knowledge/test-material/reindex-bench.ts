import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  beginReplacement,
  createNextGeneration,
  openEmbeddedIndex,
  storedFingerprint
} from '@oncall-agent/engines/embedded'
import type { KnowledgeIndex, ReadablePair } from '@oncall-agent/retrieval'
import { LOCAL_TENANT } from '../../auth/index.ts'
import { indexFolder } from '../index-folder.ts'
import type { IndexGenerations } from '../reindex/generations.ts'
import { reindex, type ReindexWatch } from '../reindex/reindex.ts'
import type { ReindexParts } from '../reindex/reindex-run.ts'
import type { ReindexReport } from '../reindex/reindex-tally.ts'
import { HashEmbedder } from './indexing-bench.ts'
import { ServiceBench } from './service-bench.ts'

/** Uploads, a folder and the index of both, on the disk, as one data folder has them; models are small. */
export class ReindexBench {
  readonly scratch: string
  readonly service: ServiceBench
  readonly index: KnowledgeIndex
  readonly folder: string

  private constructor(scratch: string, index: KnowledgeIndex, service: ServiceBench) {
    this.scratch = scratch
    this.index = index
    this.service = service
    this.folder = join(scratch, 'runbooks')
    mkdirSync(this.folder)
  }

  static async open(): Promise<ReindexBench> {
    const scratch = mkdtempSync(join(tmpdir(), 'oncall-reindex-'))
    const index = await openEmbeddedIndex({ directory: scratch, fingerprint: new HashEmbedder().fingerprint })
    return new ReindexBench(scratch, index, await ServiceBench.open({ index }))
  }

  put(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  /** What `oncall index` does, with the first model unless another is given. */
  async indexFolder(index = this.index, embedder = this.service.embedder) {
    const { store, extractor, parts, folder } = this.service
    const base = await store.knowledgeBases.ensure(LOCAL_TENANT, 'default')
    const target = { knowledgeBaseId: base.id, tenantId: LOCAL_TENANT, ownerUserId: LOCAL_TENANT }
    const dependencies = { index: index.writer, embedder, extractor, settings: parts.settings, dataDirectory: folder }
    const report = await indexFolder({ paths: [this.folder], knowledgeBase: target }, dependencies)
    return { report, pair: { tenantId: LOCAL_TENANT, knowledgeBaseId: base.id } }
  }

  reindex(
    embedder: HashEmbedder,
    more: Partial<ReindexParts> = {},
    watch: Partial<ReindexWatch> = {}
  ): Promise<ReindexReport> {
    const { store, extractor, parts, folder } = this.service
    const { settings } = parts
    const generations = this.generations(embedder)
    const work = { store, generations, embedder, extractor, settings, dataDirectory: folder, ...more }
    return reindex(work, { signal: new AbortController().signal, ...watch })
  }

  generations({ fingerprint }: HashEmbedder): IndexGenerations {
    const directory = this.scratch
    const next = join(directory, 'reindex')
    return {
      openOld: () => openEmbeddedIndex({ directory, fingerprint: storedFingerprint(directory) ?? fingerprint }),
      openNext: () => {
        createNextGeneration({ directory, next, fingerprint })
        return openEmbeddedIndex({ directory: next, fingerprint })
      },
      beginReplacement: () => beginReplacement(directory, next),
      discardNext: () => rm(next, { recursive: true, force: true })
    }
  }

  /** The index as a process has it that is started with this model. */
  openWith({ fingerprint }: HashEmbedder): Promise<KnowledgeIndex> {
    return openEmbeddedIndex({ directory: this.scratch, fingerprint })
  }

  async close(): Promise<void> {
    await this.service.close()
    await this.index.close()
    rmSync(this.scratch, { recursive: true, force: true })
  }
}

/** Contents of all chunks with a word, in both branches' order of documents. */
export async function found(index: KnowledgeIndex, pair: ReadablePair, word: string): Promise<readonly string[]> {
  const scope = { pairs: [pair] }
  const { hits } = await index.lexical.search({ tokens: [word], scope, limit: 50 })
  const chunkIds = hits.map((hit) => hit.chunkId)
  const chunks = await index.chunks.read({ chunkIds, scope, withVectors: false, withTokenVectors: false })
  return chunks.map(({ content }) => content).toSorted()
}
