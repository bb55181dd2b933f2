import { PortError } from '../ports/index.ts'
import type { RerankScore } from '../ports/index.ts'

/**
 * Takes a reranker's answer only if all of it is sound: min(topN, candidates) scores, indexes unique and of a candidate,
 * scores finite in 0..1. Gives it best first, equal scores in candidate (fused) order.
 * The reasons name positions, never what the provider said.
 * @param candidates how many were sent
 * @throws PortError `unavailable`
 */
export function checkRerank(scores: readonly RerankScore[], candidates: number, topN: number): readonly RerankScore[] {
  if (!Array.isArray(scores)) throw badAnswer('is not a list of scores')
  const expected = Math.min(topN, candidates)
  if (scores.length !== expected) throw badAnswer(`has ${scores.length} scores where ${expected} were asked for`)
  const seen = new Set<number>()
  for (const [position, item] of scores.entries()) {
    const { index, score } = (item ?? {}) as Partial<RerankScore>
    if (!Number.isInteger(index) || index! < 0 || index! >= candidates) {
      throw badAnswer(`names no candidate at position ${position}`)
    }
    if (seen.has(index!)) throw badAnswer(`repeats a candidate at position ${position}`)
    seen.add(index!)
    if (typeof score !== 'number' || !(score >= 0 && score <= 1)) {
      throw badAnswer(`has no score from 0 to 1 at position ${position}`)
    }
  }
  return scores.toSorted((left, right) => right.score - left.score || left.index - right.index)
}

function badAnswer(reason: string): PortError {
  return new PortError('unavailable', {
    operation: 'check rerank scores',
    subject: 'reranker',
    reason: `the answer ${reason}`,
    hint: 'Check the rerank model and its endpoint with `oncall doctor --models`.'
  })
}
