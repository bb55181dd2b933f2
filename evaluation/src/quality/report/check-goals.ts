import type { MetricName } from '../metrics/ranking-metrics.ts'
import type { SetResult } from '../run/set-result.ts'
import type { StageName } from '../run/stage-name.ts'
import {
  brierSkillGoal,
  fusedRecallGoal,
  identifierGoal,
  identifierSets,
  meanGoals,
  meaningSets,
  mixedLanguageGoal,
  noise,
  stageGoal
} from './targets.ts'

/** One thing that must hold, and whether it does. */
export interface GoalCheck {
  readonly goal: string
  readonly found: string
  readonly ok: boolean
}

/** Mean of a metric over those of `sets` that were measured; undefined when one is missing. */
export function meanOver(
  results: readonly SetResult[],
  sets: readonly string[],
  stage: StageName,
  metric: MetricName
): number | undefined {
  const values = sets.map((set) => results.find((result) => result.set === set)?.stages[stage]?.[metric])
  if (values.some((value) => value === undefined)) return undefined
  return (values as number[]).reduce((sum, value) => sum + value, 0) / values.length
}

/** Holds results of one chunking to all goals; goals about sets that were not measured are left out. */
export function checkGoals(results: readonly SetResult[]): readonly GoalCheck[] {
  return [
    ...meanChecks(results),
    ...identifierSets.map((set) => setCheck(results, set, identifierGoal)),
    setCheck(results, mixedLanguageGoal.set, mixedLanguageGoal['ndcg@10']),
    significanceCheck(results),
    calibrationCheck(results)
  ].filter((check) => check !== undefined)
}

/** Sets whose reranked nDCG@10 lies below the prototype's by more than noise, worst first. */
export function setsBelowGoal(results: readonly SetResult[]): readonly { set: string; missing: number }[] {
  return results
    .flatMap((result) => {
      const goal = stageGoal(result.set, 'reranked')?.['ndcg@10']
      const found = result.stages.reranked?.['ndcg@10']
      return goal === undefined || found === undefined ? [] : [{ set: result.set, missing: goal - found }]
    })
    .filter(({ missing }) => missing > noise)
    .toSorted((a, b) => b.missing - a.missing)
}

/** Means are checked only when all their sets were measured: a mean over fewer sets is another figure. */
function meanChecks(results: readonly SetResult[]): readonly (GoalCheck | undefined)[] {
  const reranked = Object.entries(meanGoals).map(([metric, limit]) => {
    const found = meanOver(results, meaningSets, 'reranked', metric as MetricName)
    return atLeast(`mean of 13 sets, reranked ${metric}`, found, limit)
  })
  const recall = meanOver(results, meaningSets, 'fused', 'recall@20')
  return [...reranked, atLeast('mean of 13 sets, fused recall@20', recall, fusedRecallGoal)]
}

/** Undefined when the set was not measured. */
function setCheck(results: readonly SetResult[], set: string, limit: number): GoalCheck | undefined {
  const found = results.find((result) => result.set === set)?.stages.reranked?.['ndcg@10']
  return atLeast(`${set}, reranked ndcg@10`, found, limit)
}

/** Worse by chance is no fault; worse with the whole interval below zero is. */
function significanceCheck(results: readonly SetResult[]): GoalCheck | undefined {
  const compared = results.filter((result) => result.comparisons !== undefined)
  if (compared.length === 0) return undefined
  const worse = compared.filter(
    ({ comparisons }) => comparisons!.fused.verdict === 'worse' || comparisons!.betterBranch.verdict === 'worse'
  )
  return {
    goal: 'no set significantly below RRF or the better branch',
    found: worse.length === 0 ? `none of ${compared.length}` : worse.map((result) => result.set).join(', '),
    ok: worse.length === 0
  }
}

/** Over all candidates of all sets with a goal together, as the calibration was fitted. */
function calibrationCheck(results: readonly SetResult[]): GoalCheck | undefined {
  const reports = results.filter((result) => stageGoal(result.set, 'reranked')).flatMap((result) => result.brier ?? [])
  const forecasts = reports.reduce((sum, report) => sum + report.forecasts, 0)
  if (forecasts === 0) return undefined
  const brier = reports.reduce((sum, report) => sum + report.brier * report.forecasts, 0) / forecasts
  const baseRate = reports.reduce((sum, report) => sum + report.baseRate * report.forecasts, 0) / forecasts
  // By skill, because the pool here has twenty candidates and the goal's had up to forty: easy negatives lower a
  // Brier score without anything being better.
  const skill = 1 - brier / (baseRate * (1 - baseRate))
  return {
    goal: `Brier skill of the score >= ${brierSkillGoal.toFixed(3)} (0.016 at a base rate of 0.035)`,
    found: `${skill.toFixed(3)} (Brier ${brier.toFixed(4)} at a base rate of ${baseRate.toFixed(4)})`,
    ok: skill >= brierSkillGoal
  }
}

/** Held to the unrounded figure; what is shown has three digits. */
function atLeast(goal: string, found: number | undefined, limit: number): GoalCheck | undefined {
  if (found === undefined) return undefined
  return { goal: `${goal} >= ${limit}`, found: found.toFixed(3), ok: found >= limit }
}
