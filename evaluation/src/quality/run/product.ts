import { join } from 'node:path'
import {
  createDocumentExtractor,
  defaultKnowledgeSettings,
  type DocumentExtractor,
  type EvidenceLimits,
  type EvidenceParts,
  type IndexingDependencies
} from '@oncall-agent/backend'
import { createBundledEmbedder, createBundledReranker } from '@oncall-agent/bundled-models'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { KnowledgeIndex } from '@oncall-agent/retrieval'
import { CachedEmbedder, type EmbeddingProgress } from '../../cache/cached-embedder.ts'
import { EmbeddingStore } from '../../cache/embedding-store.ts'
import { placeholderEmbedder } from './placeholder-embedder.ts'
import { candidates } from './rank-query.ts'

/** The product's own parts, as it ships them, with embeddings kept between runs. */
export interface Product {
  openIndex(directory: string): Promise<KnowledgeIndex>
  /** What indexing into that index needs; without meanings no model is loaded, and only its words can be asked. */
  indexing(index: KnowledgeIndex, meanings: boolean): IndexingDependencies
  evidenceParts(index: KnowledgeIndex): EvidenceParts
  close(): Promise<void>
}

/** Measuring is not serving: a slow machine shall give the same figures, later. */
const patienceMs = 600_000
const limits: EvidenceLimits = {
  candidates,
  deadlineMs: patienceMs,
  embedMs: patienceMs,
  recallMs: patienceMs,
  rerankMs: patienceMs
}

/** Loads nothing yet: the models come with the first text that the cache does not know. */
export function openProduct(cacheDirectory: string, onEmbedding?: EmbeddingProgress): Product {
  // As shipped: `rerank.tokenVectors: on`.
  const tokenVectors = true
  const bundled = createBundledEmbedder({ tokenVectors })
  const reranker = createBundledReranker({ tokenVectors })
  const { fingerprint } = bundled
  let cached: CachedEmbedder | undefined
  let extractor: DocumentExtractor | undefined
  // Opened at its first use: an evaluation of words alone leaves no cache behind.
  const embedder = (): CachedEmbedder => {
    cached ??= new CachedEmbedder(
      bundled,
      new EmbeddingStore(join(cacheDirectory, 'embeddings.db'), fingerprint, 'token vectors: on'),
      onEmbedding
    )
    return cached
  }
  return {
    openIndex: (directory) => openEmbeddedIndex({ directory, fingerprint }),
    indexing: (index, meanings) => ({
      index: index.writer,
      embedder: meanings ? embedder() : placeholderEmbedder(fingerprint, bundled.limits),
      extractor: (extractor ??= openExtractor()),
      settings: defaultKnowledgeSettings
    }),
    evidenceParts: (index) => ({ index, embedder: embedder(), reranker, limits }),
    close: async () => {
      extractor?.close()
      await cached?.close()
      await reranker.close()
    }
  }
}

/** The product’s reading process, with the model’s own count of tokens, as it is composed there. */
function openExtractor(): DocumentExtractor {
  return createDocumentExtractor({
    limits: defaultKnowledgeSettings.extraction,
    tokenCounter: {
      moduleUrl: import.meta.resolve('@oncall-agent/bundled-models'),
      exportName: 'createTokenCounter'
    }
  })
}
