import type { ClauseMatch, KeywordClause, StructuredSelection } from '@oncall-agent/retrieval'
import { wordOf } from '../indices/index.ts'
import { selectionFilter } from './selection-filter.ts'

const NOTHING = { match_none: {} }

/** The documents that `match` and `facets` count, scored by the BM25 part. */
export function keywordQuery(request: StructuredSelection & ClauseMatch, titleBoost = 1): object {
  return { bool: { filter: selectionFilter(request), must: wantedClauses(request, titleBoost) } }
}

function wantedClauses({ clauses, mode }: ClauseMatch, titleBoost: number): object[] {
  const queries = clauses.map((clause) => clauseQuery(clause, titleBoost))
  if (mode === 'all') return queries
  return [queries.length === 0 ? NOTHING : { bool: { should: queries, minimum_should_match: 1 } }]
}

/** The better field counts; in it `minimum` of the tokens must be. */
function clauseQuery({ tokens, minimum }: KeywordClause, titleBoost: number): object {
  if (tokens.length === 0) return NOTHING
  return {
    multi_match: {
      type: 'best_fields',
      query: tokens.map(wordOf).join(' '),
      fields: [`title_words^${titleBoost}`, 'body_words'],
      operator: 'or',
      minimum_should_match: minimum
    }
  }
}
