/** Indexes of the candidates (score above 0, so at least one shared token), best first, equal scores in corpus order. */
export function topScores(scores: readonly number[], limit: number): number[] {
  return scores
    .map((_, index) => index)
    .filter((index) => scores[index]! > 0)
    .toSorted((left, right) => scores[right]! - scores[left]! || left - right)
    .slice(0, limit)
}
