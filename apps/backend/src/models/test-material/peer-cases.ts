import { existsSync, readFileSync } from 'node:fs'

const PEERS = new URL('../../../../../../shared/cases/peers/', import.meta.url)

/** Faulty answers that users of other products met; they live beside the repository, not in it. */
export const PEERS_PRESENT = existsSync(PEERS)
export const PEERS_ABSENT_REASON = 'the folder ../shared/cases/peers beside the repository is absent'

/** The entries of one file: an answer's JSON, its raw text, or a sentence about it. */
export function readPeerCases(name: string): Readonly<Record<string, unknown>> {
  if (!PEERS_PRESENT) return {}
  return JSON.parse(readFileSync(new URL(name, PEERS), 'utf8')) as Record<string, unknown>
}
