import type { RetrievalRequest, RetrievalResponse, RetrievalRun } from '@oncall-agent/api-contracts'
import { sampleChunks } from './samples.ts'

const chunks = [...sampleChunks('kb-own-doc-0'), ...sampleChunks('kb-own-doc-1')]
const reranked = [3, 0, 2, 9, 4]
const stages = [
  { name: 'embed', status: 'ok', engine: 'bundled', candidates: 1, tookMs: 21.4 },
  { name: 'vector', status: 'ok', engine: 'embedded', candidates: 10, tookMs: 6.2 },
  { name: 'lexical', status: 'ok', engine: 'embedded', candidates: 6, tookMs: 2.9 },
  { name: 'fuse', status: 'ok', engine: 'rrf', candidates: 12, tookMs: 0.6 },
  { name: 'rerank', status: 'ok', engine: 'bundled', candidates: 5, tookMs: 48.7 }
] as const

function candidateOf(index: number) {
  const chunk = chunks[index]!
  const vectorRank = index < 10 ? ((index * 7) % 10) + 1 : null
  const bm25Rank = index % 2 === 1 ? null : index / 2 + 1
  const at = reranked.indexOf(index)
  return {
    chunkId: chunk.chunkId,
    documentId: chunk.chunkId.split('#')[0]!,
    documentVersion: 1,
    knowledgeBaseId: 'kb-own',
    title: index < 6 ? '连接被重置' : 'KubePodCrashLooping',
    headingPath: chunk.headingPath,
    source: index < 6 ? '连接被重置.md' : 'KubePodCrashLooping.md',
    start: chunk.start,
    end: chunk.end,
    vectorRank,
    vectorScore: vectorRank === null ? null : 0.84 - vectorRank * 0.031,
    bm25Rank,
    bm25Score: bm25Rank === null ? null : 17.3 - bm25Rank * 2.11,
    rrfRank: index + 1,
    rrfScore: (vectorRank === null ? 0 : 1 / (60 + vectorRank)) + (bm25Rank === null ? 0 : 1 / (60 + bm25Rank)),
    rerankRank: at < 0 ? null : at + 1,
    rerankScore: at < 0 ? null : 0.93 - at * 0.127,
    rerankParts: null
  }
}

/** An answer and its stored run; a query with "nothing" finds nothing. */
export function sampleRun(
  runId: string,
  request: RetrievalRequest
): { answer: RetrievalResponse; stored: RetrievalRun } {
  const { query, topK } = request
  const empty = /nothing/i.test(query)
  const candidates = empty ? [] : chunks.map((_chunk, index) => candidateOf(index))
  const chosen = empty ? [] : reranked.slice(0, topK).map(candidateOf)
  const results = chosen.map((each) => ({
    ...each,
    ownerUserId: 'u-1',
    tenantId: 'u-1',
    content: chunks.find(({ chunkId }) => chunkId === each.chunkId)!.content,
    metadata: {},
    score: each.rerankScore ?? 0
  }))
  const citations = results.map(({ content, ...each }) => ({
    ...each,
    id: each.chunkId,
    sourceType: 'knowledge-base' as const,
    excerpt: content.slice(0, 480)
  }))
  const ran = empty
    ? stages.map((stage) => ({
        ...stage,
        status: stage.name === 'embed' ? ('ok' as const) : ('empty' as const),
        candidates: 0
      }))
    : [...stages]
  const readable = ['kb-own', 'kb-shared', 'kb-folder']
  const wanted = request.filters?.knowledgeBaseIds ?? readable
  const record = {
    query,
    topK,
    scope: { pairs: wanted.map((knowledgeBaseId) => ({ tenantId: 'u-1', knowledgeBaseId })) },
    engine: 'embedded',
    indexRevision: { vector: 12, lexical: 12 },
    embedder: { model: 'bundled-small', dimension: 384, normalised: true, tokenizerVersion: '1' },
    reranker: 'bundled',
    stages: ran,
    candidates,
    results,
    failure: null
  }
  return {
    answer: { query, topK, results, citations, stages: ran, runId },
    stored: {
      runId,
      tenantId: 'u-1',
      userId: 'u-1',
      createdAt: Date.now(),
      query,
      outcome: empty ? 'empty' : 'ok',
      record
    }
  }
}

/** What a reranker that is down leaves behind. */
export const failedStages = stages.map((stage) =>
  stage.name === 'rerank' ? { ...stage, status: 'failed', candidates: 0, tookMs: 4_012 } : stage
)
