/** The two halves of a bag-of-words formula: score = sum over the query's tokens of idf times term score. */
export interface TermWeighting {
  readonly idf: (documents: number, frequency: number) => number
  readonly termScore: (termFrequency: number, length: number, averageLength: number) => number
}

/**
 * Score of every document, by looking at every document: what any faster way has to equal.
 * The statistics are those of the documents given, so a caller passes exactly the scope.
 */
export function scoreByBruteForce(
  queryTokens: readonly string[],
  documents: readonly (readonly string[])[],
  weighting: TermWeighting
): number[] {
  const counts = documents.map(countTokens)
  const totalLength = documents.reduce((sum, document) => sum + document.length, 0)
  const averageLength = documents.length === 0 ? 0 : totalLength / documents.length
  const idfs = new Map<string, number>()
  for (const token of new Set(queryTokens)) {
    const frequency = counts.reduce((sum, count) => sum + (count.has(token) ? 1 : 0), 0)
    idfs.set(token, weighting.idf(documents.length, frequency))
  }
  return documents.map((document, index) => {
    let score = 0
    for (const token of queryTokens) {
      const frequency = counts[index]!.get(token)
      if (frequency !== undefined) {
        score += idfs.get(token)! * weighting.termScore(frequency, document.length, averageLength)
      }
    }
    return score
  })
}

function countTokens(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}
