import { relative } from 'node:path'
import { startVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node'
import { type Outcome, reasonInName, type Skip } from './outcome.ts'

/**
 * Runs every test file of the repository in this process and counts the results.
 * A file that cannot be loaded, a failing hook and an error outside any test count as failures.
 */
export async function runTests(root: string): Promise<Outcome> {
  const vitest = await startVitest([], { root, watch: false, reporters: ['default'] })
  try {
    return countResults(vitest, root)
  } finally {
    await vitest.close()
  }
}

function countResults(vitest: Vitest, root: string): Outcome {
  const modules = vitest.state.getTestModules()
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const ofState = (state: string): TestCase[] => tests.filter((test) => test.result().state === state)
  const brokenModules = modules.filter((module) => module.state() === 'failed' && !hasFailedTest(module))
  return {
    passed: ofState('passed').length,
    failures: [
      ...ofState('failed').map((test) => nameOf(test, root)),
      // A test that never ran to an end (its worker died, say) is neither passed nor skipped.
      ...ofState('pending').map((test) => `${nameOf(test, root)} (never finished)`),
      ...brokenModules.map((module) => `${relative(root, module.moduleId)} (the file or one of its hooks)`),
      ...vitest.state.getUnhandledErrors().map((error) => `outside any test: ${messageOf(error)}`)
    ],
    skips: ofState('skipped').map((test) => toSkip(test, root))
  }
}

function hasFailedTest(module: TestModule): boolean {
  return [...module.children.allTests('failed')].length > 0
}

function toSkip(test: TestCase, root: string): Skip {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  const fallback = test.module.state() === 'failed' ? 'a hook before it failed' : ''
  return { name: nameOf(test, root), reason: note || reasonInName(test.fullName) || fallback }
}

function nameOf(test: TestCase, root: string): string {
  return `${relative(root, test.module.moduleId)} > ${test.fullName}`
}

function messageOf(error: unknown): string {
  return error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error)
    ? String(error.message)
    : String(error)
}
