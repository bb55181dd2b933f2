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
  /** Milliseconds of one attempt to make, fill, refresh, swap or delete. */
  readonly patienceMs: number
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
