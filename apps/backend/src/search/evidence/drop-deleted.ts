import type { Recall } from '@oncall-agent/retrieval'
import type { EvidenceRun } from './evidence-run.ts'
import type { Branches } from './recall.ts'

/**
 * Leaves out hits of documents that were deleted while the index still has them: between the facts and the index when a
 * document is deleted, and for as long as an index that is elsewhere cannot be reached.
 */
export async function dropDeleted({ parts }: EvidenceRun, branches: Branches): Promise<Branches> {
  const { vector, lexical } = branches
  const found = [...new Set([...vector.hits, ...lexical.hits].map((hit) => hit.documentId))]
  if (parts.deletedAmong === undefined || found.length === 0) return branches
  const deleted = await parts.deletedAmong(found)
  if (deleted.size === 0) return branches
  const live = (recall: Recall): Recall => ({
    ...recall,
    hits: recall.hits.filter((hit) => !deleted.has(hit.documentId))
  })
  return { ...branches, vector: live(vector), lexical: live(lexical) }
}
