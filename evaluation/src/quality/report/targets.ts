import type { MetricName } from '../metrics/ranking-metrics.ts'
import type { StageName } from '../run/stage-name.ts'
import figures from './reference-figures.json' with { type: 'json' }

type Figures = Readonly<Partial<Record<MetricName, number>>>

/** What the oracle's BM25L gives on a set, whole documents: the lexical branch must equal it to three digits. */
export function lexicalFloor(set: string): Figures | undefined {
  return (figures.lexical as Record<string, Figures>)[set]
}

/** What our prototypes reached on a set, whole documents; the product should reach the reranked figure. */
export function stageGoal(set: string, stage: StageName): Figures | undefined {
  return (figures.stages as Record<string, Record<StageName, Figures>>)[set]?.[stage]
}

/** Sets with a goal, in the order of the goals. */
export const targetSets: readonly string[] = Object.keys(figures.stages)

/** The sets of the first mean: questions in words, within and across languages. */
export const meaningSets = targetSets.slice(0, 13)

/** Sets whose queries are identifiers: nearly every one has to come first. */
export const identifierSets = [
  'ops-tidb-errcode-zh',
  'ops-tidb-alert-name',
  'ops-alert-runbook-full',
  'ops-tidb-identifier',
  'ops-ob-errcode-zh'
] as const

/** What must hold of the means over `meaningSets`. */
export const meanGoals: Figures = { 'ndcg@10': 0.82, 'ndcg@5': 0.8, 'mrr@10': 0.79 }
export const fusedRecallGoal = 0.95
export const identifierGoal = 0.98
export const mixedLanguageGoal = { set: 'xquad-mixed', 'ndcg@10': 0.93 } as const
/** Skill of a Brier score of 0.016 at a base rate of 0.035, which is what the calibration was held to. */
export const brierSkillGoal = 1 - 0.016 / (0.035 * (1 - 0.035))
/** Differences up to this are noise on sets below a hundred queries. */
export const noise = 0.01
/** Half a unit of the third digit, and as much again for figures that were rounded before they were compared. */
export const exactness = 0.001
