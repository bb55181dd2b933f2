import type { Embedder } from '../ports/index.ts'
import { registerCases, rejectionOf } from './test-api.ts'
import type { ConformanceCase, Expect, Skips, TestApi } from './test-api.ts'

/** Largest difference of one number of two vectors of the same text: batches may sum in another order. */
const SAME_VECTOR_TOLERANCE = 1e-3
const NORM_TOLERANCE = 1e-4

const TEXTS = ['网关连接重置如何恢复', 'E_CONN_RESET: connection reset by peer', '磁盘使用率>90%', '', '👨‍👩‍👧', '?']

export interface EmbedderContext {
  readonly embedder: Embedder
  readonly expect: Expect
}

export interface EmbedderSuiteOptions {
  readonly skips?: Skips
}

/** Every guarantee of `Embedder`, on embedders that the factory makes cold. */
export function embedderConformance(
  test: TestApi,
  create: () => Promise<Embedder>,
  options: EmbedderSuiteOptions = {}
): void {
  const run = async (body: ConformanceCase<EmbedderContext>): Promise<void> => {
    const embedder = await create()
    try {
      await body({ embedder, expect: test.expect })
    } finally {
      await embedder.close()
    }
  }
  test.describe('embedder', () => registerCases(test, cases, run, options.skips))
}

function isUnit(vector: Float32Array, dimension: number): boolean {
  const norm = Math.hypot(...vector)
  return vector.length === dimension && vector.every(Number.isFinite) && Math.abs(norm - 1) < NORM_TOLERANCE
}

function difference(left: Float32Array, right: Float32Array): number {
  return left.reduce((most, value, index) => Math.max(most, Math.abs(value - right[index]!)), 0)
}

const cases: Readonly<Record<string, ConformanceCase<EmbedderContext>>> = {
  'gives one unit vector of its width for each text, also for an empty one': async ({ embedder, expect }) => {
    const { dimension } = embedder.fingerprint
    const passages = await embedder.embedPassages(TEXTS)
    expect(passages.map(({ vector }) => isUnit(vector, dimension))).toEqual(TEXTS.map(() => true))
    expect(passages.every(({ tokenCount }) => Number.isInteger(tokenCount) && tokenCount >= 0)).toBe(true)
    expect(isUnit((await embedder.embedQuery('网关')).vector, dimension)).toBe(true)
  },
  'keeps the order of the texts, over more of them than a batch holds': async ({ embedder, expect }) => {
    const texts = Array.from(
      { length: embedder.limits.batchSize + 3 },
      (_, index) => `error E_${index} on node ${index * 7}`
    )
    const together = await embedder.embedPassages(texts)
    expect(together.length).toBe(texts.length)
    for (const index of [0, texts.length - 1]) {
      const [alone] = await embedder.embedPassages([texts[index]!])
      expect(difference(alone!.vector, together[index]!.vector) < SAME_VECTOR_TOLERANCE).toBe(true)
    }
  },
  'gives the same vector for the same text, and another for another': async ({ embedder, expect }) => {
    const [first, again, other] = await embedder.embedPassages([TEXTS[0]!, TEXTS[0]!, TEXTS[1]!])
    expect(difference(first!.vector, again!.vector) < SAME_VECTOR_TOLERANCE).toBe(true)
    expect(difference(first!.vector, other!.vector) > SAME_VECTOR_TOLERANCE).toBe(true)
  },
  'cuts a text that is too long instead of refusing it': async ({ embedder, expect }) => {
    const long = 'restart the gateway '.repeat(embedder.limits.maxTokens)
    const [passage] = await embedder.embedPassages([long])
    expect(isUnit(passage!.vector, embedder.fingerprint.dimension)).toBe(true)
    expect(isUnit((await embedder.embedQuery(long)).vector, embedder.fingerprint.dimension)).toBe(true)
  },
  'gives passages token vectors exactly when it says that it keeps them': async ({ embedder, expect }) => {
    const passages = await embedder.embedPassages(TEXTS)
    expect(passages.map(({ tokenVectors }) => tokenVectors !== undefined)).toEqual(
      TEXTS.map(() => embedder.keepsTokenVectors)
    )
  },
  'gives nothing for no texts': async ({ embedder, expect }) => {
    expect([...(await embedder.embedPassages([]))]).toEqual([])
  },
  'is cold, then warm however often it is warmed at once, then closed': async ({ embedder, expect }) => {
    expect(embedder.state).toBe('cold')
    await Promise.all([embedder.warm(), embedder.warm(), embedder.embedQuery('x')])
    expect(embedder.state).toBe('warm')
    await embedder.close()
    expect(embedder.state).toBe('closed')
    const error = await rejectionOf(embedder.embedQuery('x'))
    expect((error as { failure?: unknown } | undefined)?.failure).toBe('closed')
  },
  'rejects with the reason of an aborted signal': async ({ embedder, expect }) => {
    const signal = AbortSignal.abort(new Error('the caller left'))
    expect(await rejectionOf(embedder.embedQuery('x', signal))).toBe(signal.reason)
    expect(await rejectionOf(embedder.embedPassages(['x'], signal))).toBe(signal.reason)
  }
}
