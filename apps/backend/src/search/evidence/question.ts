import type { Scope } from '@oncall-agent/retrieval'

/** A checked question: what to look for, where, and how many answers. */
export interface Question {
  readonly query: string
  readonly topK: number
  readonly scope: Scope
}
