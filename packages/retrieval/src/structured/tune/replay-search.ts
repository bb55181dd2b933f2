import type { Judgements } from '../../metrics/index.ts'
import { PortError } from '../../ports/index.ts'
import { rescore } from '../scoring/index.ts'
import type { ScoreParts } from '../scoring/index.ts'

/** The settings that a replay can vary; recall itself, and so every status, does not depend on them. */
export interface TunePoint {
  readonly titleBoost: number
  readonly vectorWeight: number
  readonly rrfWindow: number
}

/** A search that people judged, with what the index recalled for it. */
export interface JudgedSearch {
  /** Names the question, not the single search: repeats of a question must land in the same half. */
  readonly id: string
  readonly judgements: Judgements
  /**
   * By title boost: the recall of the stage that answered, best BM25 first, of the widest window and a page behind it, or
   * of all that matched. `match` gives it with a rescore of that window: BM25 and vector part stand beside the score.
   */
  readonly recalls: ReadonlyMap<number, readonly TuneCandidate[]>
}

export interface TuneCandidate extends ScoreParts {
  readonly documentId: string
}

/**
 * Ids of the documents as this point of the settings would have ranked them.
 * @throws PortError `invalid-argument` when the search was not recalled with the point's title boost
 */
export function replaySearch(search: JudgedSearch, point: TunePoint): string[] {
  const recalled = search.recalls.get(point.titleBoost)
  if (recalled === undefined) {
    const reason = `it was not recalled with a title boost of ${point.titleBoost}`
    throw new PortError('invalid-argument', { operation: 'replay search', subject: search.id, reason })
  }
  const ranked = rescore(recalled, { window: point.rrfWindow, weight: point.vectorWeight })
  return ranked.map((candidate) => candidate.documentId)
}
