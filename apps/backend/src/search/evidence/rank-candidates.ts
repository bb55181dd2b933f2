import { PortError } from '@oncall-agent/retrieval'
import type { Candidate, RankedCandidate } from './candidate.ts'
import { dropDeleted } from './drop-deleted.ts'
import { embed } from './embed.ts'
import type { EvidenceRun } from './evidence-run.ts'
import { fuseBranches } from './fuse-branches.ts'
import { loadCandidates } from './load-candidates.ts'
import { type Branches, recallBranches } from './recall.ts'
import { rerank } from './rerank.ts'
import { StageFailure } from './stage-log.ts'

export interface Ranking {
  readonly branches: Branches
  /** In fused order. */
  readonly fused: readonly Candidate[]
  /** Reranked first, then those beyond `topK` in fused order. */
  readonly ranked: readonly RankedCandidate[]
}

/** A document replaced between the branches and the read makes them ask again; more often than this is a fault. */
const RECALL_ATTEMPTS = 5

/** The whole of contract 1's pipeline: recall (vector ∥ lexical), fuse, load, rerank. */
export async function rankCandidates(run: EvidenceRun): Promise<Ranking> {
  const { branches, fused } = await gather(run)
  if (fused.length === 0) return { branches, fused, ranked: [] }
  const ranked = await rerank(run, branches.embedding, fused)
  return { branches, fused, ranked }
}

async function gather(run: EvidenceRun): Promise<{ branches: Branches; fused: readonly Candidate[] }> {
  const embedding = embed(run)
  for (let attempt = 1; attempt <= RECALL_ATTEMPTS; attempt++) {
    const branches = await recallBranches(run, embedding)
    const fused = await fuseAndLoad(run, branches)
    if (fused !== undefined) return { branches, fused }
  }
  const reason = `documents in scope changed during each of ${RECALL_ATTEMPTS} attempts`
  throw new StageFailure(
    'fuse',
    new PortError('unavailable', { operation: 'recall', subject: run.parts.index.engine, reason })
  )
}

/** Fusion and the read behind it are one stage: without the chunks a fused list is only numbers. */
function fuseAndLoad(run: EvidenceRun, branches: Branches): Promise<readonly Candidate[] | undefined> {
  const { limits } = run.parts
  return run.stages.run<readonly Candidate[] | undefined>({
    name: 'fuse',
    engine: 'rrf',
    deadlineMs: limits.recallMs,
    signal: run.signal,
    count: (candidates) => candidates?.length ?? 0,
    work: async (signal) => {
      const live = await dropDeleted(run, branches)
      return loadCandidates({ ...run, signal }, fuseBranches(live, limits.candidates))
    }
  })
}
