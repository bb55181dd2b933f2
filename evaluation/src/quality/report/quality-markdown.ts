import { handwrittenPart } from '../../markdown/handwritten.ts'
import { markdownTable } from '../../markdown/markdown-table.ts'
import type { PairedComparison } from '../metrics/bootstrap.ts'
import { type MetricName, metricNames } from '../metrics/ranking-metrics.ts'
import type { SetResult } from '../run/set-result.ts'
import { type Chunking, type StageName, stageNames } from '../run/stage-name.ts'
import { checkGoals, meanOver, setsBelowGoal } from './check-goals.ts'
import { lexicalFloor, meaningSets, stageGoal, targetSets } from './targets.ts'

export interface QualityReport {
  /** As yyyy-mm-dd. */
  readonly date: string
  readonly command: string
  readonly results: readonly SetResult[]
}

/** The report as Markdown. `previous` is the file that it replaces, for what was written by hand in it. */
export function qualityMarkdown(report: QualityReport, previous = ''): string {
  const byChunking = (chunking: Chunking): readonly SetResult[] =>
    report.results.filter((result) => result.chunking === chunking)
  const whole = byChunking('whole')
  const product = byChunking('product')
  return [
    '# Retrieval quality',
    `Measured ${report.date} by \`${report.command}\`, through the product's own pipeline over an embedded index, with the bundled models. Public test collections; their dev halves. \`whole\` is one chunk a document, for comparing with a reference; \`product\` cuts documents as uploads are cut. A stage's list is its twenty candidates, by document.`,
    '## nDCG@10',
    'Floor: BM25L of the reference oracle. Goal: the prototype of the models, whole documents. A mark after a figure of the reranked column says how it compares with RRF and with the better branch by paired bootstrap (95 %): `+` significantly better than both, `-` significantly worse than one, none in between.',
    overviewTable(whole, product),
    ...goalSection('whole', whole),
    ...goalSection('product', product),
    ...detailSection('whole', whole),
    ...detailSection('product', product),
    handwrittenPart(previous)
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

/** One row a set: what a person compares at a glance, both chunkings side by side. */
function overviewTable(whole: readonly SetResult[], product: readonly SetResult[]): string {
  const sets = [...new Set([...whole, ...product].map((result) => result.set))]
  const rows = sets.map((set) => {
    const a = resultOf(whole, set)
    const b = resultOf(product, set)
    return [
      set,
      String((a ?? b)!.queries),
      digits(lexicalFloor(set)?.['ndcg@10']),
      ...stageNames.map((stage) => marked(a, stage)),
      digits(stageGoal(set, 'reranked')?.['ndcg@10']),
      ...(['lexical', 'fused', 'reranked'] as const).map((stage) => marked(b, stage))
    ]
  })
  const means = [
    ['mean of 13', meaningSets],
    ['mean of 17', targetSets]
  ] as const
  const meanRows = means.map(([name, among]) => [
    `**${name}**`,
    '',
    '',
    ...stageNames.map((stage) => digits(meanOver(whole, among, stage, 'ndcg@10'))),
    digits(meanOfGoals(among)),
    ...(['lexical', 'fused', 'reranked'] as const).map((stage) => digits(meanOver(product, among, stage, 'ndcg@10')))
  ])
  const header = ['set', 'queries', 'floor', 'lexical', 'vector', 'RRF', 'reranked', 'goal']
  return markdownTable([...header, 'product: lexical', 'product: RRF', 'product: reranked'], [...rows, ...meanRows])
}

/** A set may have been measured in one chunking only. */
function resultOf(results: readonly SetResult[], set: string): SetResult | undefined {
  return results.find((result) => result.set === set)
}

/** Empty when nothing that has a goal was measured. */
function goalSection(chunking: Chunking, results: readonly SetResult[]): readonly string[] {
  const checks = checkGoals(results)
  if (checks.length === 0) return []
  const below = setsBelowGoal(results).map(({ set, missing }) => `${set} (${missing.toFixed(3)})`)
  return [
    `## Goals, \`${chunking}\``,
    markdownTable(
      ['goal', 'found', ''],
      checks.map((check) => [check.goal, check.found, check.ok ? 'met' : '**missed**'])
    ),
    `Below the goal of their own by more than 0.01: ${below.length === 0 ? 'no set' : below.join(', ')}.`
  ]
}

/** Every figure of one chunking, for whoever looks for a cause. */
function detailSection(chunking: Chunking, results: readonly SetResult[]): readonly string[] {
  if (results.length === 0) return []
  const rows = results.map((result) => [
    result.set,
    `${result.documents} / ${result.chunks}`,
    ...stageNames.map((stage) => allMetrics(result, stage)),
    interval(result),
    compared(result.comparisons?.fused),
    compared(result.comparisons?.betterBranch),
    result.brier === undefined ? '' : `${result.brier.brier.toFixed(4)} (${result.brier.baseRate.toFixed(3)})`
  ])
  const metrics = metricNames.join(' / ')
  return [
    `## All figures, \`${chunking}\``,
    `Each stage: ${metrics}. Interval: reranked nDCG@10, 95 %. Differences: reranked minus RRF, and minus the better branch, nDCG@10 with 95 % bounds. Brier of the score with the base rate in brackets.`,
    markdownTable(
      ['set', 'documents / chunks', ...stageNames, 'interval', 'against RRF', 'against the better branch', 'Brier'],
      rows
    )
  ]
}

/** The figure of a stage; the reranked one with its verdict. */
function marked(result: SetResult | undefined, stage: StageName): string {
  const figure = digits(result?.stages[stage]?.['ndcg@10'])
  if (stage !== 'reranked' || result?.comparisons === undefined) return figure
  const verdicts = [result.comparisons.fused.verdict, result.comparisons.betterBranch.verdict]
  if (verdicts.includes('worse')) return `${figure} -`
  return verdicts.every((verdict) => verdict === 'better') ? `${figure} +` : figure
}

/** The four metrics in the order that the text above the table says. */
function allMetrics(result: SetResult, stage: StageName): string {
  const values = result.stages[stage]
  return values === undefined ? '' : metricNames.map((name: MetricName) => digits(values[name])).join(' / ')
}

/** 95 % bounds of the reranked nDCG@10. */
function interval(result: SetResult): string {
  const bounds = result.intervals.reranked?.['ndcg@10']
  return bounds === undefined ? '' : `${digits(bounds[0])}..${digits(bounds[1])}`
}

/** A paired difference with its bounds. */
function compared(comparison: PairedComparison | undefined): string {
  if (comparison === undefined) return ''
  return `${signed(comparison.mean)} (${signed(comparison.low)}..${signed(comparison.high)})`
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(3)}`
}

/** Mean of the prototype over the same sets. */
function meanOfGoals(sets: readonly string[]): number {
  const goals = sets.map((set) => stageGoal(set, 'reranked')?.['ndcg@10'] ?? 0)
  return goals.reduce((sum, goal) => sum + goal, 0) / goals.length
}

/** Three digits; empty for what was not measured. */
function digits(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(3)
}
