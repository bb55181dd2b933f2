/**
 * The part of a test runner that the suites need; Vitest's own `describe`, `it` and `expect` fit as they are.
 * It is handed in, so that this package depends on no runner.
 */
export interface TestApi {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: TestFunction
  readonly expect: Expect
}

export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  readonly skip: (name: string, body: () => Promise<void>) => unknown
}

export type Expect = (actual: unknown) => Matchers

export interface Matchers {
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
}

/** Cases of a suite that an implementation cannot pass, by name, each with the reason that is printed with the skip. */
export type Skips = Readonly<Record<string, string>>

/** One promise of a port: makes its own data and checks what comes back. */
export type ConformanceCase<Context> = (context: Context) => Promise<void>

/** Registers one test a case; a case named in `skips` is skipped, and a skip that names no case is itself a failure. */
export function registerCases<Context>(
  test: TestApi,
  cases: Readonly<Record<string, ConformanceCase<Context>>>,
  run: (body: ConformanceCase<Context>) => Promise<void>,
  skips: Skips = {}
): void {
  for (const [name, body] of Object.entries(cases)) {
    const reason = skips[name]
    if (reason === undefined) test.it(name, () => run(body))
    else test.it.skip(`${name} (skipped: ${reason})`, () => run(body))
  }
  const unknown = Object.keys(skips).filter((name) => !Object.hasOwn(cases, name))
  if (unknown.length > 0) test.it('skips only cases that exist', async () => void test.expect(unknown).toEqual([]))
}

/** What a promise was rejected with; undefined when it was not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
    return undefined
  } catch (error) {
    return error
  }
}
