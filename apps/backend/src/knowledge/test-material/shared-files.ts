import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Material for measuring lies beside the repository and is no part of it. */
const shared = fileURLToPath(new URL('../../../../../../shared/', import.meta.url))

/** Put into a suite's name, so that a skipped one says why. */
export const needsShared = existsSync(shared) ? '' : ' (skipped: ../shared is absent)'
export const sharedIsAbsent = needsShared !== ''

export function sharedPath(path: string): string {
  return `${shared}${path}`
}

export function readShared(path: string): Uint8Array {
  return readFileSync(sharedPath(path))
}
