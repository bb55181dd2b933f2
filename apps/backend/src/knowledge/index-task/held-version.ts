import { chunkIdOf, type IndexedDocument, type KnowledgeIndex } from '@oncall-agent/retrieval'
import { throughPort } from '../port-failure.ts'

/** What the index would hold had a document been published. */
export interface ExpectedVersion extends Pick<
  IndexedDocument,
  'tenantId' | 'knowledgeBaseId' | 'documentId' | 'version' | 'contentHash'
> {
  /** Chunks. */
  readonly count: number
  readonly entryHash: string
}

/** Chunks of one question: some hundred kilobytes of text. */
const BATCH = 256

/**
 * Whether the index holds exactly this already: its entry, and every chunk of this version and content with none behind.
 * So is found what a process published before it died.
 */
export async function isHeld(
  index: Pick<KnowledgeIndex, 'chunks' | 'entry'>,
  expected: ExpectedVersion
): Promise<boolean> {
  const { tenantId, knowledgeBaseId, documentId, version, contentHash, count } = expected
  const scope = { pairs: [{ tenantId, knowledgeBaseId }] }
  const matching = async (sequences: readonly number[]): Promise<number> => {
    const chunkIds = sequences.map((sequence) => chunkIdOf(documentId, sequence))
    const found = await throughPort(() =>
      index.chunks.read({ chunkIds, scope, withVectors: false, withTokenVectors: false })
    )
    return found.filter(({ document }) => document.version === version && document.contentHash === contentHash).length
  }
  // Most often there is nothing, or another version: one look tells.
  if ((await matching([0, count])) !== 1) return false
  for (let from = 0; from < count; from += BATCH) {
    const sequences = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => from + at)
    if ((await matching(sequences)) !== sequences.length) return false
  }
  const held = await throughPort(() => index.entry({ tenantId, knowledgeBaseId }, documentId))
  return held?.contentHash === expected.entryHash
}
