import { existsSync, readFileSync } from 'node:fs'

const CASES = new URL('../../../../../shared/cases/', import.meta.url)

/** Expected values that were computed by an independent implementation; they live beside the repository, not in it. */
export const CASES_PRESENT = existsSync(CASES)
export const CASES_ABSENT_REASON = 'the folder ../shared/cases beside the repository is absent'

/** Parsed content of one case file; the caller names its shape. */
export function readCases<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(name, CASES), 'utf8')) as Shape
}
