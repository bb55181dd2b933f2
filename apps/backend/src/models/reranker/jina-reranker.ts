import { createRemoteReranker, type RemoteReranker, type RemoteRerankerOptions } from './remote-reranker.ts'

/**
 * A reranker behind the protocol that Jina, Cohere and most servers of open models share: `{ model, query, documents,
 * top_n }`, answered by `results`. `rerank` throws PortError `unavailable` (no answer, or none that can be used),
 * `closed`; or the signal's reason.
 */
export function createJinaReranker(options: RemoteRerankerOptions): RemoteReranker {
  return createRemoteReranker(options, {
    name: 'jina',
    body: ({ query, documents, topN }, model) => ({ model, query, documents, top_n: topN, return_documents: false }),
    results: ({ results }) => results
  })
}
