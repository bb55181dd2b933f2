import { createRemoteReranker, type RemoteReranker, type RemoteRerankerOptions } from './remote-reranker.ts'

/** Names of DashScope's models that read pictures too (`qwen3-vl-rerank`): each of their documents says what it is. */
const multimodal = /(^|-)vl(-|$)/

/**
 * A reranker behind DashScope's own protocol: `{ model, input: { query, documents }, parameters }`, answered by
 * `output.results`. `rerank` throws PortError `unavailable` (no answer, or none that can be used), `closed`; or the
 * signal's reason.
 */
export function createDashScopeReranker(options: RemoteRerankerOptions): RemoteReranker {
  return createRemoteReranker(options, {
    name: 'dashscope',
    body: ({ query, documents, topN }, model) => ({
      model,
      input: { query, documents: multimodal.test(model) ? documents.map((text) => ({ text })) : documents },
      parameters: { top_n: topN, return_documents: false }
    }),
    results: ({ output }) =>
      typeof output === 'object' && output !== null && 'results' in output ? output.results : null
  })
}
