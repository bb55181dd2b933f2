import { expect } from 'vitest'
import type { TestApi } from '../conformance/index.ts'

/** Runs a suite without a runner and gives the names of the cases that failed. */
export async function failingCases(register: (test: TestApi) => void): Promise<string[]> {
  const cases: { name: string; body: () => Promise<void> }[] = []
  const collect = (name: string, body: () => Promise<void>): number => cases.push({ name, body })
  register({ describe: (_, body) => body(), it: Object.assign(collect, { skip: () => undefined }), expect })
  const failing: string[] = []
  for (const { name, body } of cases) {
    try {
      await body()
    } catch {
      failing.push(name)
    }
  }
  return failing
}
