import type { KeywordClause } from '../../ports/index.ts'

/** A share times a count may come out a rounding error above a whole number; that must not ask for one token more. */
const ROUNDING = 1e-9

/** How many of a keyword's tokens one field must have: the share of them, rounded up, and one at least. */
export function minimumTokens(tokens: number, share: number): number {
  return Math.min(tokens, Math.max(1, Math.ceil(tokens * share - ROUNDING)))
}

/** The strict clause: all the keyword's tokens in one field. */
export function strictClause(tokens: readonly string[]): KeywordClause {
  return { tokens, minimum: tokens.length }
}

/** The loose clause. A Chinese word of two characters is three tokens, so at 60 % one shared character is no match. */
export function looseClause(tokens: readonly string[], share: number): KeywordClause {
  return { tokens, minimum: minimumTokens(tokens.length, share) }
}
