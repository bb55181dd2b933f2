import type { KnowledgeIndex } from '@oncall-agent/retrieval'

/** The part of an index that retrieval reads. */
export type ReadableIndex = Pick<KnowledgeIndex, 'engine' | 'lexical' | 'vector' | 'chunks'>

/**
 * An index that is opened by its first use. So nothing is read before someone asks, and a failure to open it is a
 * failure of the stage that asked, with that stage's trace.
 */
export function indexOnDemand(
  engine: string,
  capabilities: KnowledgeIndex['vector']['capabilities'],
  open: () => Promise<ReadableIndex>
): ReadableIndex {
  return {
    engine,
    lexical: {
      search: async (request, signal) => (await open()).lexical.search(request, signal),
      statistics: async (terms, scope, signal) => (await open()).lexical.statistics(terms, scope, signal)
    },
    vector: {
      capabilities,
      search: async (request, signal) => (await open()).vector.search(request, signal)
    },
    chunks: { read: async (request, signal) => (await open()).chunks.read(request, signal) }
  }
}
