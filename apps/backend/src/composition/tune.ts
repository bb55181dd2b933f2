import {
  DEFAULT_TUNE_GRID,
  type JudgedSearch,
  splitHalves,
  tune,
  type TunePoint,
  type TuneReport
} from '@oncall-agent/retrieval'
import type { TuneCommandReport, TuneRequest, TuneWatch } from '../cli/index.ts'
import { writeDataSettings } from '../config/index.ts'
import { expectData } from './data-folder.ts'
import type { Parts } from './parts.ts'
import { type LeftOut, recallJudged, type RecallParts } from './recall-judged.ts'
import { type PairedGain, pairedGain } from './paired-gain.ts'
import { structuredSearchOf, structuredSettings } from './structured-search-of.ts'

/** Judged searches that each half needs: below it one of them moves the means by more than settings do. */
const LEAST_IN_HALF = 10
/** Standard errors: a gain above so many comes about by chance one time in twenty. */
const SURE = 1.645

/**
 * Replays judged searches over a grid of settings and says what is better; changes nothing unless it is asked to, and then
 * only what is better on the half that nothing was chosen on.
 */
export async function tuneLocally(
  parts: Parts,
  { apply }: TuneRequest,
  { signal, onProgress }: TuneWatch
): Promise<TuneCommandReport> {
  expectData(parts)
  const { titleBoost, vectorWeight, rrfWindow } = structuredSettings(parts.settings)
  const current = { titleBoost, vectorWeight, rrfWindow }
  const judged = await (await structuredSearchOf(parts)).judgedSearches()
  const plan = {
    titleBoosts: [...new Set([titleBoost, ...DEFAULT_TUNE_GRID.titleBoosts])],
    window: Math.max(rrfWindow, ...DEFAULT_TUNE_GRID.rrfWindows)
  }
  const recallParts = judged.length === 0 ? undefined : await recallPartsOf(parts)
  const searches: JudgedSearch[] = []
  const leftOut: Record<LeftOut, number> = { nothing_helped: 0, not_found_now: 0 }
  for (const [at, record] of judged.entries()) {
    signal.throwIfAborted()
    onProgress({ done: at, total: judged.length })
    const recalled = await recallJudged(record, recallParts!, plan, signal)
    if (typeof recalled === 'string') leftOut[recalled]++
    else searches.push(recalled)
  }
  const report = tune(searches, DEFAULT_TUNE_GRID, current)
  const gain = pairedGain(splitHalves(searches).heldOut, current, report.suggested)
  const verdict = verdictOf(report, gain)
  const about = { judged: judged.length, leftOut, leastInHalf: LEAST_IN_HALF, ...summaryOf(report), gain, verdict }
  if (!apply || verdict !== 'better') return { ...about, applied: null }
  return { ...about, applied: writeDataSettings(parts.dataDirectory, { search: { ...report.suggested } }) }
}

async function recallPartsOf(parts: Parts): Promise<RecallParts> {
  const { embedder, settings } = parts
  // Each title boost asks for the same vector again.
  const vectors = new Map<string, Promise<Float32Array>>()
  const embed = (text: string, signal?: AbortSignal): Promise<Float32Array> => {
    const made = vectors.get(text) ?? embedder.embedQuery(text, signal).then(({ vector }) => vector)
    vectors.set(text, made)
    return made
  }
  return {
    index: await parts.structured.get(),
    embed,
    settings: structuredSettings(settings),
    knowledgeTypes: settings.search.knowledgeTypes
  }
}

function summaryOf({ searches, current, suggested, heldOut }: TuneReport) {
  return { searches, current, suggested, heldOut }
}

function verdictOf(
  { searches, current, suggested }: TuneReport,
  { mean, standardError }: PairedGain
): TuneCommandReport['verdict'] {
  if (Math.min(searches.tuned, searches.heldOut) < LEAST_IN_HALF) return 'too_few'
  if (isSame(current, suggested)) return 'as_good_as_any'
  return mean > 0 && mean > SURE * standardError ? 'better' : 'by_chance'
}

function isSame(left: TunePoint, right: TunePoint): boolean {
  return (
    left.titleBoost === right.titleBoost &&
    left.vectorWeight === right.vectorWeight &&
    left.rrfWindow === right.rrfWindow
  )
}
