import type { StructuredHit } from '../../ports/index.ts'
import type { StructuredAnswer } from '../../structured/index.ts'
import type { DeclaredAbilities } from './structured-suite.ts'

export interface AnswerRule {
  readonly abilities: DeclaredAbilities
  /** Absolute difference of a score that counts as none. */
  readonly tolerance: number
}

/** Two answers to one question: the page that was asked for, and the reference's whole list for the same question. */
export interface ComparedAnswers {
  readonly actual: StructuredAnswer
  /** On the same page, by the reference. */
  readonly expected: StructuredAnswer
  /** Every hit by the reference, from the first. */
  readonly all: readonly StructuredHit[]
}

/**
 * What is wrong with an answer beside the reference's, or null. Status, total, facets and banner must be equal; the order of
 * hits too, unless the engine's statistics are its own: then the page must hold as many, all of them from the whole list.
 */
export function answerFault({ actual, expected, all }: ComparedAnswers, rule: AnswerRule): string | null {
  for (const part of ['status', 'total', 'banner', 'facets', 'facetsTruncated'] as const) {
    const [is, should] = [JSON.stringify(actual[part]), JSON.stringify(expected[part])]
    if (is !== should) return `${part} is ${is} instead of ${should}`
  }
  if (actual.hits.length !== expected.hits.length) return `${actual.hits.length} hits, not ${expected.hits.length}`
  const candidates = new Map(all.map((hit) => [keyOf(hit), hit]))
  if (new Set(actual.hits.map(keyOf)).size !== actual.hits.length) return 'one document twice'
  const isRanked = actual.status === 'vector_only' ? rule.abilities.exactNearest : rule.abilities.statistics === 'scope'
  const own = new Map(actual.hits.map((hit) => [keyOf(hit), hit]))
  for (const [rank, hit] of actual.hits.entries()) {
    const reference = candidates.get(keyOf(hit))
    if (reference === undefined) {
      // An approximate engine may find other documents than the nearest.
      if (actual.status === 'vector_only' && !isRanked) continue
      return `${keyOf(hit)} does not match`
    }
    if (!isRanked) continue
    const placed = expected.hits[rank]!
    const fault = rankFault(hit, { reference, placed, rival: own.get(keyOf(placed)) }, rule.tolerance)
    if (fault !== null) return `rank ${rank + 1}: ${fault}`
  }
  return null
}

interface Place {
  /** The same document in the reference's list. */
  readonly reference: StructuredHit
  /** What the reference has at this rank: rounding may swap it with a neighbour of the same score. */
  readonly placed: StructuredHit
  /** The engine's own hit of that document, where it stands on the page. */
  readonly rival: StructuredHit | undefined
}

function rankFault(hit: StructuredHit, { reference, placed, rival }: Place, tolerance: number): string | null {
  for (const part of ['score', 'bm25', 'vectorPart'] as const) {
    if (Math.abs(hit[part] - reference[part]) > tolerance) {
      return `${part} of ${keyOf(hit)} is ${hit[part]} instead of ${reference[part]}`
    }
  }
  if (keyOf(hit) === keyOf(placed)) return null
  if (Math.abs(reference.score - placed.score) > tolerance) return `${keyOf(placed)} should stand here`
  const isTie = isSameRank(reference, placed) && rival !== undefined && isSameRank(hit, rival)
  return isTie ? `${keyOf(hit)} and ${keyOf(placed)} score the same and stand out of corpus order` : null
}

function isSameRank(left: StructuredHit, right: StructuredHit): boolean {
  return left.score === right.score && left.bm25 === right.bm25
}

function keyOf({ document }: StructuredHit): string {
  return `${document.tenantId}/${document.knowledgeBaseId}/${document.documentId}`
}
