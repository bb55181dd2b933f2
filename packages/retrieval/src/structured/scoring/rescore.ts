/** A recalled document with the parts of its score. */
export interface ScoreParts {
  readonly bm25: number
  /** cos + 1, 0..2; 0 without a vector. */
  readonly vectorPart: number
}

export interface Scored extends ScoreParts {
  readonly score: number
}

export interface RescoreRule {
  /** How many of the best are rescored, documents. */
  readonly window: number
  /** Weight of the vector part, 0..1. */
  readonly weight: number
}

/**
 * Rescores a recall: the first `window` get `(1 - w)·bm25 + w·vectorPart`; those behind keep `(1 - w)·bm25`, as OpenSearch's
 * rescore query with weights (1 - w, w) and score mode `total` leaves them. Then all are ranked anew.
 * @param recalled best BM25 first, equal ones in corpus order
 */
export function rescore<Item extends ScoreParts>(recalled: readonly Item[], rule: RescoreRule): (Item & Scored)[] {
  const scored = recalled.map((item, position) => {
    const vectorPart = position < rule.window ? item.vectorPart : 0
    return { ...item, vectorPart, score: (1 - rule.weight) * item.bm25 + rule.weight * vectorPart }
  })
  return rankStructured(scored)
}

/**
 * Rank of structured search: score, then BM25, then the order given, which is corpus order (creation time, document id).
 * With BM25 second no document behind the window ever passes one inside it, so an engine may page through the rest.
 */
export function rankStructured<Item extends Omit<Scored, 'vectorPart'>>(inCorpusOrder: readonly Item[]): Item[] {
  return inCorpusOrder.toSorted((left, right) => right.score - left.score || right.bm25 - left.bm25)
}
