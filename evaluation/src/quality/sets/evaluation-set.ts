import type { Judgements } from '../metrics/ranking-metrics.ts'

/** One document of a set's corpus.jsonl. */
export interface SetDocument {
  readonly id: string
  /** May be empty. */
  readonly title: string
  readonly text: string
}

/** One line of queries.jsonl. */
export interface SetQuery {
  readonly id: string
  readonly text: string
}

/** A corpus with one half of its queries and judgements. */
export interface EvaluationSet {
  /** Name of the set's folder. */
  readonly name: string
  /** Name of the half, or `custom` when queries and judgements were named one by one. */
  readonly half: string
  /** In the order of the file, which is the corpus order of the index. */
  readonly documents: readonly SetDocument[]
  /** Only queries that have a judgement: nothing can be measured on the others. */
  readonly queries: readonly SetQuery[]
  readonly judgements: ReadonlyMap<string, Judgements>
  /** What was left out, for a note to the person. */
  readonly leftOut: { readonly queriesWithoutJudgement: number; readonly judgedQueriesNotAsked: number }
}
