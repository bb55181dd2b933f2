import { existsSync, readFileSync } from 'node:fs'

const SHARED = new URL('../../../../../shared/', import.meta.url)
const CASES = new URL('cases/', SHARED)
const FILES = new URL('files/', SHARED)

/** Expected values that were computed by an independent implementation; they live beside the repository, not in it. */
export const CASES_PRESENT = existsSync(CASES)
export const CASES_ABSENT_REASON = 'the folder ../shared/cases beside the repository is absent'

/** Parsed content of one case file; the caller names its shape. */
export function readCases<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(name, CASES), 'utf8')) as Shape
}

export const FILES_PRESENT = existsSync(FILES)
export const FILES_ABSENT_REASON = 'the folder ../shared/files beside the repository is absent'

/** Text of a real runbook, or of a small file made after a known fault. */
export function readSharedText(kind: 'cases/peers' | 'files/markdown', name: string): string {
  return readFileSync(new URL(`${kind}/${name}`, SHARED), 'utf8')
}
