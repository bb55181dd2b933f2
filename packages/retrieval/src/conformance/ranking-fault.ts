import type { Recall, RecallHit } from '../ports/index.ts'

export interface RankingRule {
  /** Absolute difference of a score that counts as none. */
  readonly tolerance: number
  readonly limit: number
}

/**
 * What is wrong with a branch's answer, compared with every candidate of the scope ranked by brute force in corpus order;
 * null when nothing is. Scores may differ by the tolerance, and what they differ by may swap neighbours;
 * equal scores must stand in corpus order.
 */
export function rankingFault(actual: Recall, all: Recall, rule: RankingRule): string | null {
  const expected = new Map(all.hits.map((hit) => [hit.chunkId, hit]))
  const wanted = Math.min(rule.limit, all.hits.length)
  if (actual.hits.length !== wanted) return `${actual.hits.length} hits instead of ${wanted}`
  if (new Set(actual.hits.map((hit) => hit.chunkId)).size !== wanted) return 'one chunk twice'
  for (const hit of actual.hits) {
    const fault = hitFault(hit, expected.get(hit.chunkId), rule.tolerance)
    if (fault !== null) return fault
  }
  return orderFault(actual.hits, all, rule)
}

function hitFault(hit: RecallHit, expected: RecallHit | undefined, tolerance: number): string | null {
  if (expected === undefined) return `${hit.chunkId} is no candidate of the scope`
  if (Math.abs(hit.score - expected.score) > tolerance) {
    return `${hit.chunkId} scores ${hit.score} instead of ${expected.score}`
  }
  if (hit.documentVersion !== expected.documentVersion) return `${hit.chunkId} has another document version`
  return hit.documentId === expected.documentId ? null : `${hit.chunkId} names another document`
}

function orderFault(hits: readonly RecallHit[], all: Recall, rule: RankingRule): string | null {
  // Among equal scores the brute-force list is in corpus order, so positions there can stand for it.
  const position = new Map(all.hits.map((hit, index) => [hit.chunkId, index]))
  for (const [index, hit] of hits.entries()) {
    const next = hits[index + 1]
    if (next === undefined) break
    if (next.score > hit.score) return `${next.chunkId} scores above ${hit.chunkId} and stands behind it`
    const isTie = next.score === hit.score && all.hits[position.get(hit.chunkId)!]!.score === scoreOf(all, next)
    if (isTie && position.get(next.chunkId)! < position.get(hit.chunkId)!) {
      return `${next.chunkId} comes first in the corpus and stands behind ${hit.chunkId}`
    }
  }
  const returned = new Set(hits.map((hit) => hit.chunkId))
  const missing = all.hits.find((hit) => !returned.has(hit.chunkId))
  const last = hits.at(-1)
  const isBetter = missing !== undefined && last !== undefined && missing.score > last.score + rule.tolerance
  return isBetter ? `${missing.chunkId} scores ${missing.score} and is missing` : null
}

function scoreOf(all: Recall, hit: RecallHit): number | undefined {
  return all.hits.find((other) => other.chunkId === hit.chunkId)?.score
}
