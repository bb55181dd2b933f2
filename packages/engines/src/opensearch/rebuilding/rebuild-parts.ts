import type { PortError, StructuredEntry } from '@oncall-agent/retrieval'
import type { EngineConnection } from '../connection/index.ts'
import type { IndexShape } from '../indices/index.ts'
import type { WriteClock } from '../writing/index.ts'

export interface RebuildParts {
  readonly connection: EngineConnection
  readonly clock: WriteClock
  readonly shape: IndexShape
  /** Of every configured type. */
  readonly aliases: readonly string[]
  /** @throws PortError `invalid-argument` */
  readonly check: (entry: StructuredEntry) => void
  readonly onBackgroundFailure: (error: PortError) => void
}

/** An index under way, by the alias that it shall stand behind. */
export interface FreshIndex {
  readonly alias: string
  readonly index: string
}

/** Documents of a fresh index. */
export interface FilledIndex extends FreshIndex {
  readonly documents: number
}

/** Milliseconds for making, filling, refreshing and swapping at least: a busy cluster takes its time, and nobody waits. */
const SHORTEST_MS = 30_000

export function patience({ connection }: RebuildParts): number {
  return Math.max(SHORTEST_MS, connection.timeoutMs)
}
