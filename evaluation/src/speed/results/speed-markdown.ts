import { handwrittenPart } from '../../markdown/handwritten.ts'
import { markdownTable } from '../../markdown/markdown-table.ts'
import type { BenchResult } from './bench-result.ts'

/** What was measured, where and how. */
export interface SpeedReport {
  readonly chunks: number
  /** The benchmark that was asked for, or `all`. */
  readonly what: string
  readonly machine: string
  readonly results: readonly BenchResult[]
}

/** The report as Markdown. `previous` is the file that it replaces, for what was written by hand in it. */
export function speedMarkdown(report: SpeedReport, previous = '', today = new Date()): string {
  const { chunks, what, machine, results } = report
  const rows = results.map((result) => [
    result.name,
    result.value === null ? 'not measured' : `${result.value} ${result.unit}`,
    result.budget ?? '',
    result.ok === null ? '' : result.ok ? 'met' : '**missed**',
    `\`oncall bench ${result.name.split('.')[0]}\``,
    result.note
  ])
  return [
    '# Speed and size',
    `Measured ${today.toISOString().slice(0, 10)} by \`oncall bench ${what} --chunks ${chunks}\` on ${machine}. Corpus: seeded synthetic chunks of about 300 tokens in Chinese and English, word frequencies after Zipf, clustered unit vectors of 896 values. Ours and a rival take turns in one run, so the ratios hold where the machine is busy; absolute figures only orient. Times are medians of wall clock.`,
    markdownTable(['what', 'value', 'budget', '', 'command', 'how, and the figures behind it'], rows),
    handwrittenPart(previous)
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}
