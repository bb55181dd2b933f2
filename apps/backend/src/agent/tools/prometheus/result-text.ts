import { z } from 'zod'
import { quoted, seriesText, shortened, timeText } from '../monitoring/plain-text.ts'

/** Series that are shown: more are of no use to a reader, who should aggregate. */
export const SERIES_SHOWN = 50
const WARNINGS_SHOWN = 5

const labelsSchema = z.record(z.string(), z.string())
/** Seconds, and a number as text: NaN and infinities are words. */
const sampleSchema = z.tuple([z.number(), z.string()])
const histogramSchema = z.tuple([z.number(), z.object({ count: z.string(), sum: z.string() })])

export const resultSchema = z.discriminatedUnion('resultType', [
  z.object({
    resultType: z.literal('vector'),
    result: z.array(
      z.object({ metric: labelsSchema, value: sampleSchema.optional(), histogram: histogramSchema.optional() })
    )
  }),
  z.object({
    resultType: z.literal('matrix'),
    result: z.array(
      z.object({
        metric: labelsSchema,
        values: z.array(sampleSchema).default([]),
        histograms: z.array(histogramSchema).default([])
      })
    )
  }),
  z.object({ resultType: z.literal('scalar'), result: sampleSchema }),
  z.object({ resultType: z.literal('string'), result: sampleSchema })
])

export type PrometheusResult = z.output<typeof resultSchema>
type Sample = z.output<typeof sampleSchema>
type Series = Extract<PrometheusResult, { resultType: 'matrix' }>['result'][number]

/** @param stepSeconds of a range query, so that gaps are seen as gaps; undefined for samples as they were scraped */
export function resultText(result: PrometheusResult, warnings: readonly string[], stepSeconds?: number): string {
  return [...bodyOf(result, stepSeconds), ...warningsText(warnings)].join('\n')
}

function bodyOf(result: PrometheusResult, stepSeconds: number | undefined): readonly string[] {
  if (result.resultType === 'scalar') return [`scalar ${valueText(result.result[1])} at ${timeText(result.result[0])}`]
  if (result.resultType === 'string') return [`string ${quoted(result.result[1])} at ${timeText(result.result[0])}`]
  const count = result.result.length
  if (count === 0) return ['no series matches. That is not zero: a name, a label or the time may be wrong.']
  const lines =
    result.resultType === 'vector'
      ? result.result.slice(0, SERIES_SHOWN).map((series) => `${seriesText(series.metric)} ${instantText(series)}`)
      : result.result.slice(0, SERIES_SHOWN).map((series) => rangeText(series, stepSeconds))
  const left = count - lines.length
  const leftOut = left > 0 ? [`${left} more series are left out: aggregate, use topk, or narrow the labels.`] : []
  return [`${count} series`, ...lines, ...leftOut]
}

function instantText({
  value,
  histogram
}: {
  readonly value?: Sample | undefined
  readonly histogram?: unknown
}): string {
  if (value !== undefined) return `${valueText(value[1])} at ${timeText(value[0])}`
  const read = histogramSchema.safeParse(histogram)
  return read.success ? histogramText(read.data) : 'without a value'
}

function histogramText([seconds, { count, sum }]: z.output<typeof histogramSchema>): string {
  return `histogram of ${valueText(count)} observations, sum ${valueText(sum)}, at ${timeText(seconds)}`
}

/** One line about the whole, then a line for each stretch of equal values. */
function rangeText({ metric, values, histograms }: Series, stepSeconds: number | undefined): string {
  const numbers = values.map(([, value]) => Number(value)).filter((value) => Number.isFinite(value))
  const spread = numbers.length === 0 ? '' : `, min ${least(numbers)}, max ${most(numbers)}`
  const count = values.length + histograms.length
  const lines = stretchesOf(values, stepSeconds).map((stretch) => `  ${stretchText(stretch)}`)
  const observed = histograms.slice(-1).map((last) => `  the last ${histogramText(last)}`)
  return [`${seriesText(metric)}: ${count} points${spread}`, ...lines, ...observed].join('\n')
}

interface Stretch {
  readonly first: Sample
  readonly last: Sample
  readonly points: number
}

function stretchesOf(values: readonly Sample[], stepSeconds: number | undefined): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const sample of values) {
    const open = stretches.at(-1)
    const follows = open !== undefined && stepSeconds !== undefined && sample[0] - open.last[0] < stepSeconds * 1.5
    if (open !== undefined && follows && open.first[1] === sample[1]) {
      stretches[stretches.length - 1] = { first: open.first, last: sample, points: open.points + 1 }
    } else stretches.push({ first: sample, last: sample, points: 1 })
  }
  return stretches
}

function stretchText({ first, last, points }: Stretch): string {
  if (points === 1) return `${timeText(first[0])} ${valueText(first[1])}`
  return `${timeText(first[0])} to ${timeText(last[0])} ${valueText(first[1])} (${points} points)`
}

/** As Prometheus wrote it: rounding is the reader's. */
function valueText(value: string): string {
  return shortened(value, 40)
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((low, value) => Math.min(low, value))
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((high, value) => Math.max(high, value))
}

function warningsText(warnings: readonly string[]): readonly string[] {
  const shown = warnings.slice(0, WARNINGS_SHOWN).map((warning) => `Prometheus warns: ${quoted(warning)}`)
  const left = warnings.length - shown.length
  return left > 0 ? [...shown, `${left} more warnings are left out.`] : shown
}
