import { type EmbeddedIndex, openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import { documentOf } from '@oncall-agent/retrieval/conformance'
import { type Collection, DIMENSION } from './collection.ts'

/** Stands for the model of vectors that none made. */
export const fingerprint: EmbedderFingerprint = {
  model: 'words',
  dimension: DIMENSION,
  normalised: true,
  tokenizerVersion: 'none'
}

/** A new embedded index with every entry of a collection, written as documents are: entry and chunks together. */
export async function fillEmbedded(directory: string, { entries }: Collection): Promise<EmbeddedIndex> {
  const index = await openEmbeddedIndex({ directory, fingerprint })
  try {
    for (const entry of entries) {
      const { documentId, title, createdAt, contentHash } = entry
      // Chunks are contract 1's; structured search looks at the entry alone.
      await index.writer.replaceDocument(
        { ...documentOf(entry, documentId, { title, createdAt }), contentHash },
        [],
        entry
      )
    }
    return index
  } catch (error) {
    await index.close()
    throw error
  }
}
