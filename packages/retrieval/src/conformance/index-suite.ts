import type { KnowledgeIndex, ReadablePair, Scope } from '../ports/index.ts'
import { registerCases } from './test-api.ts'
import type { ConformanceCase, Expect, Skips, TestApi } from './test-api.ts'

export interface IndexSuiteOptions {
  /** Width of the vectors that the indexes made by the factory take; default 32. */
  readonly dimension?: number
  /** Random questions in each comparison with brute force; default 60. Fewer for an engine behind a network. */
  readonly rounds?: number
  readonly skips?: Skips
}

export interface IndexContext {
  readonly index: KnowledgeIndex
  readonly expect: Expect
  readonly dimension: number
  readonly rounds: number
}

export type IndexCase = ConformanceCase<IndexContext>

const DEFAULT_DIMENSION = 32
const DEFAULT_ROUNDS = 60

/** Runs each case on an empty index of its own, which is closed behind it whatever happens. */
export function indexSuite(
  test: TestApi,
  cases: Readonly<Record<string, IndexCase>>,
  create: () => Promise<KnowledgeIndex>,
  options: IndexSuiteOptions
): void {
  const { dimension = DEFAULT_DIMENSION, rounds = DEFAULT_ROUNDS, skips = {} } = options
  const run = async (body: IndexCase): Promise<void> => {
    const index = await create()
    try {
      await body({ index, expect: test.expect, dimension, rounds })
    } finally {
      await index.close()
    }
  }
  registerCases(test, cases, run, skips)
}

export function scopeOf(...pairs: readonly ReadablePair[]): Scope {
  return { pairs }
}
