import type { MetricName } from '../metrics/ranking-metrics.ts'
import { exactness, lexicalFloor, noise } from '../report/targets.ts'
import type { SetResult } from '../run/set-result.ts'
import type { StageName } from '../run/stage-name.ts'
import type { Floors } from './checked-sets.ts'

/** One comparison, told in one line. */
export interface QualityLine {
  readonly ok: boolean
  readonly text: string
}

/** Holds a run to its floors; a figure may lie below by what is noise on a small set. */
export function holdToFloor(result: SetResult, floors: Floors): readonly QualityLine[] {
  return (Object.keys(floors) as StageName[]).flatMap((stage) =>
    Object.entries(floors[stage]!).map(([metric, floor]) => {
      const found = result.stages[stage]?.[metric as MetricName] ?? Number.NaN
      const text = `${result.set}, ${result.chunking}, ${stage} ${metric}: ${found.toFixed(3)}, floor ${floor} - ${noise}`
      return { ok: found >= floor - noise, text }
    })
  )
}

/** Compares the lexical branch over whole documents with the oracle, to three digits. */
export function compareExactly(result: SetResult): readonly QualityLine[] {
  const expected = Object.entries(lexicalFloor(result.set) ?? {})
  if (expected.length === 0) return [{ ok: false, text: `${result.set}: the oracle has no figures of it` }]
  return expected.map(([metric, figure]) => {
    const found = result.stages.lexical?.[metric as MetricName] ?? Number.NaN
    const text = `${result.set}, lexical ${metric}: ${found.toFixed(4)}, oracle ${figure}`
    return { ok: Math.abs(found - figure) < exactness, text }
  })
}
