import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBundledEmbedder, createBundledReranker } from '@oncall-agent/bundled-models'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import { type KnowledgeIndex, searchedText } from '@oncall-agent/retrieval'
import type { EvidenceParts } from '../evidence/evidence-parts.ts'

export interface SmallDocument {
  readonly documentId: string
  readonly tenantId: string
  readonly knowledgeBaseId: string
  readonly version?: number
  readonly title: string
  readonly contents: readonly string[]
  readonly metadata?: Readonly<Record<string, string | number | boolean>>
}

/** A real index on disk with the real models, small enough to be made for one test file. */
export interface SmallIndex {
  readonly parts: EvidenceParts
  readonly index: KnowledgeIndex
  publish(document: SmallDocument): Promise<void>
  close(): Promise<void>
}

export async function openSmallIndex(): Promise<SmallIndex> {
  const directory = await mkdtemp(join(tmpdir(), 'oncall-search-'))
  const embedder = createBundledEmbedder({ tokenVectors: true })
  const reranker = createBundledReranker({ tokenVectors: true })
  const index = await openEmbeddedIndex({ directory, fingerprint: embedder.fingerprint })
  const limits = { candidates: 20, deadlineMs: 60_000, embedMs: 60_000, recallMs: 60_000, rerankMs: 60_000 }
  return {
    index,
    parts: { index, embedder, reranker, limits },
    async publish({ title, contents, version = 1, metadata = {}, ...ids }) {
      const texts = contents.map((content) => searchedText({ title, headingPath: [], content }))
      const embeddings = await embedder.embedPassages(texts)
      await index.writer.replaceDocument(
        {
          ...ids,
          ownerUserId: ids.tenantId,
          version,
          title,
          source: `${ids.documentId}.md`,
          createdAt: 1,
          contentHash: `${title}-${version}`,
          metadata
        },
        contents.map((content, sequence) => ({
          sequence,
          headingPath: [],
          content,
          start: 0,
          end: content.length,
          metadata: {},
          ...embeddings[sequence]!
        }))
      )
    },
    async close() {
      await Promise.all([index.close(), embedder.close(), reranker.close()])
      await rm(directory, { recursive: true, force: true })
    }
  }
}
