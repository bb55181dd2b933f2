import type { ClauseMatch } from '../../ports/index.ts'
import { fieldScore } from './field-score.ts'
import type { FieldStatistics, FieldTokens } from './field-score.ts'

/** Title and body of a document, or of anything that both fields have one of. */
export interface BothFields<Part> {
  readonly title: Part
  readonly body: Part
}

export interface ScoringRule {
  readonly statistics: BothFields<FieldStatistics>
  /** Factor of a title's score, 0 or more. */
  readonly titleBoost: number
}

/**
 * The BM25 part of a document: the sum over its matching clauses of the better field's score (Elasticsearch's
 * `best_fields` without a tie breaker, a disjunction maximum); null where the document does not match.
 */
export function documentScore(match: ClauseMatch, fields: BothFields<FieldTokens>, rule: ScoringRule): number | null {
  let score = 0
  let matching = 0
  for (const clause of match.clauses) {
    const title = fieldScore(clause, fields.title, rule.statistics.title)
    const body = fieldScore(clause, fields.body, rule.statistics.body)
    if (title === null && body === null) continue
    matching++
    score += Math.max(rule.titleBoost * (title ?? 0), body ?? 0)
  }
  const wanted = match.mode === 'all' ? match.clauses.length : 1
  return matching >= wanted ? score : null
}
