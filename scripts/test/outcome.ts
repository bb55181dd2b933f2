/** What one run proved, in the numbers that the last line prints. */
export interface Outcome {
  readonly passed: number
  readonly failures: readonly string[]
  readonly skips: readonly Skip[]
}

export interface Skip {
  readonly name: string
  /** Why it could not run here; empty when the test does not say, which is a fault of the test. */
  readonly reason: string
}

/**
 * A suite, or a test that is skipped before it runs, can only say why in its name, in brackets:
 * "(needs ../shared/cases)", "(skipped: no Python)", "(skipped where there is no sibling ../shared)".
 */
export function reasonInName(fullName: string): string {
  const [, start = '', reason = ''] = /\((needs |skipped: |skipped where )([^()]+)\)/.exec(fullName) ?? []
  return start === 'needs ' ? `needs ${reason}` : reason
}

export function addOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, outcome) => sum + outcome.passed, 0),
    failures: outcomes.flatMap((outcome) => outcome.failures),
    skips: outcomes.flatMap((outcome) => outcome.skips)
  }
}

/**
 * Lines to print, the summary alone on the last one, and whether the run is good.
 * @param nothingMaySkip with `--all` a skip is as bad as a failure, but is still counted as what it is
 */
export function summarise(outcome: Outcome, nothingMaySkip: boolean): { lines: string[]; ok: boolean } {
  const lines = [
    ...outcome.failures.map((name) => `FAILED   ${name}`),
    ...outcome.skips.map((skip) => `SKIPPED  ${skip.name}: ${skip.reason || 'gives no reason'}`)
  ]
  const skipsAreBad = nothingMaySkip && outcome.skips.length > 0
  if (skipsAreBad) lines.push('With --all nothing may be skipped.')
  lines.push(`${outcome.passed} passed, ${outcome.failures.length} failed, ${outcome.skips.length} skipped`)
  return { lines, ok: outcome.failures.length === 0 && outcome.passed > 0 && !skipsAreBad }
}
