import { renderTable } from '@oncall-agent/backend'
import type { PairedComparison } from '../quality/metrics/bootstrap.ts'
import { metricNames } from '../quality/metrics/ranking-metrics.ts'
import type { SetResult } from '../quality/run/set-result.ts'
import { stageNames } from '../quality/run/stage-name.ts'

/** A set's figures for a person: a line a stage, each figure with its 95 % bounds. */
export function renderSetResult(result: SetResult): string {
  // In the order of the pipeline, so that a person reads what each stage adds.
  const measured = stageNames.filter((stage) => result.stages[stage] !== undefined)
  const rows = measured.map((stage) => [
    stage,
    ...metricNames.map((name) => {
      const [low, high] = result.intervals[stage]![name]
      return `${result.stages[stage]![name].toFixed(3)} (${low.toFixed(3)}..${high.toFixed(3)})`
    })
  ])
  const columns = [
    { title: 'stage', align: 'left' },
    ...metricNames.map((title) => ({ title, align: 'left' }) as const)
  ] as const
  const { set, half, chunking, queries, documents, chunks } = result
  return [
    `${set}, ${half}, ${chunking} chunking: ${queries} queries, ${documents} documents, ${chunks} chunks`,
    renderTable(columns, rows),
    ...comparisonLines(result),
    ''
  ].join('\n')
}

/** Only what was measured: comparisons need all four stages. */
function comparisonLines({ comparisons, brier }: SetResult): readonly string[] {
  const lines: string[] = []
  if (comparisons !== undefined) {
    lines.push(against('RRF', comparisons.fused))
    lines.push(against(`the better branch (${comparisons.betterBranch.branch})`, comparisons.betterBranch))
  }
  if (brier !== undefined) {
    lines.push(
      `Brier of the score ${brier.brier.toFixed(4)} at a base rate of ${brier.baseRate.toFixed(3)}, skill ${brier.skill.toFixed(2)}`
    )
  }
  return lines
}

/** The sign is always there: a reader looks for it first. */
function against(name: string, { mean, low, high, verdict }: PairedComparison): string {
  const difference = `${mean >= 0 ? '+' : ''}${mean.toFixed(3)} (${low.toFixed(3)}..${high.toFixed(3)})`
  return `reranked against ${name}: ndcg@10 ${difference}, ${verdict}`
}
