import { checkScope, type StoredChunk } from '@oncall-agent/retrieval'
import type { Candidate } from './candidate.ts'
import type { EvidenceRun } from './evidence-run.ts'
import type { FusedHit } from './fuse-branches.ts'

/**
 * Reads the fused chunks. Undefined when a document was replaced or deleted between the branches and this read:
 * ranks of one version must not meet the text of another, so the caller recalls again.
 * @throws PortError corrupt when a chunk outside the scope came back (the engines filter; this is the second lock)
 */
export async function loadCandidates(
  run: EvidenceRun,
  fused: readonly FusedHit[]
): Promise<readonly Candidate[] | undefined> {
  const chunks = await readChunks(run, fused)
  const byId = new Map(chunks.map((chunk) => [chunk.chunkId, chunk]))
  const candidates: Candidate[] = []
  for (const [position, hit] of fused.entries()) {
    const chunk = byId.get(hit.chunkId)
    if (chunk === undefined || !isVersionOf(chunk, hit)) return undefined
    const { documentVersions: _, chunkId: __, ...ranks } = hit
    candidates.push({ ...ranks, chunk, rrfRank: position + 1 })
  }
  return candidates
}

async function readChunks(
  { question, parts, signal }: EvidenceRun,
  fused: readonly FusedHit[]
): Promise<readonly StoredChunk[]> {
  const { needs } = parts.reranker
  const chunks = await parts.index.chunks.read(
    {
      chunkIds: fused.map((hit) => hit.chunkId),
      scope: question.scope,
      withVectors: needs.vectors,
      withTokenVectors: needs.tokenVectors
    },
    signal
  )
  for (const { document, metadata } of chunks) checkScope({ ...document, metadata }, question.scope)
  return chunks
}

function isVersionOf(chunk: StoredChunk, hit: FusedHit): boolean {
  return hit.documentVersions.every((version) => version === chunk.document.version)
}
