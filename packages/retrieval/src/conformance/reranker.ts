import { checkRerank } from '../evidence/index.ts'
import type { RerankRequest, Reranker, RerankScore } from '../ports/index.ts'
import { registerCases, rejectionOf } from './test-api.ts'
import type { ConformanceCase, Expect, Skips, TestApi } from './test-api.ts'

const QUERY = 'E_CONN_RESET 如何恢复'
const CONTENTS = [
  'payment timeout',
  'E_CONN_RESET: 先看上游健康，再滚动重启',
  '磁盘使用率>90%',
  '网关连接重置的常见原因'
]

/** A reranker and what its requests need besides texts: vectors, token vectors and statistics, where it says so. */
export interface RerankerHarness {
  readonly reranker: Reranker
  readonly prepare: (query: string, contents: readonly string[], topN: number) => Promise<RerankRequest>
  readonly close: () => Promise<void>
}

export interface RerankerContext extends RerankerHarness {
  readonly expect: Expect
}

export interface RerankerSuiteOptions {
  readonly skips?: Skips
}

/** Every guarantee of `Reranker`. */
export function rerankerConformance(
  test: TestApi,
  create: () => Promise<RerankerHarness>,
  options: RerankerSuiteOptions = {}
): void {
  const run = async (body: ConformanceCase<RerankerContext>): Promise<void> => {
    const harness = await create()
    try {
      await body({ ...harness, expect: test.expect })
    } finally {
      await harness.close()
    }
  }
  test.describe('reranker', () => registerCases(test, cases, run, options.skips))
}

async function rerank(
  context: RerankerContext,
  contents: readonly string[],
  topN: number
): Promise<readonly RerankScore[]> {
  return context.reranker.rerank(await context.prepare(QUERY, contents, topN))
}

const cases: Readonly<Record<string, ConformanceCase<RerankerContext>>> = {
  'scores the best topN candidates soundly, best first': async (context) => {
    for (const topN of [1, 3, CONTENTS.length]) {
      const scores = await rerank(context, CONTENTS, topN)
      context.expect([...scores]).toEqual([...checkRerank(scores, CONTENTS.length, topN)])
    }
  },
  'gives the first of a longer answer where fewer are asked for': async (context) => {
    const all = await rerank(context, CONTENTS, CONTENTS.length)
    const two = await rerank(context, CONTENTS, 2)
    context.expect(two.map((item) => item.index)).toEqual(all.slice(0, 2).map((item) => item.index))
  },
  'scores all candidates where more are asked for than there are': async (context) => {
    context.expect(checkRerank(await rerank(context, CONTENTS, 50), CONTENTS.length, 50).length).toBe(CONTENTS.length)
  },
  'takes one candidate, and none': async (context) => {
    context.expect((await rerank(context, CONTENTS.slice(0, 1), 5)).map((item) => item.index)).toEqual([0])
    context.expect([...(await rerank(context, [], 5))]).toEqual([])
  },
  'gives equal candidates equal scores but for the lead of the first, in candidate order': async (context) => {
    const scores = await rerank(
      context,
      Array.from({ length: 4 }, () => CONTENTS[1]!),
      4
    )
    context.expect(scores.map((item) => item.index)).toEqual([0, 1, 2, 3])
  },
  'scores again as it did before': async (context) => {
    context.expect(await rerank(context, CONTENTS, 4)).toEqual(await rerank(context, CONTENTS, 4))
  },
  'names finite parts where it names any': async (context) => {
    const parts = (await rerank(context, CONTENTS, 4)).flatMap((item) => Object.values(item.parts ?? {}))
    context.expect(parts.every(Number.isFinite)).toBe(true)
  },
  'rejects with the reason of an aborted signal': async (context) => {
    const signal = AbortSignal.abort(new Error('the caller left'))
    const request = await context.prepare(QUERY, CONTENTS, 4)
    context.expect(await rejectionOf(context.reranker.rerank(request, signal))).toBe(signal.reason)
  }
}
