import type { MetricName } from '../metrics/ranking-metrics.ts'
import type { Chunking, StageName } from '../run/stage-name.ts'

/** Figures that a run must not fall below. */
export type Floors = Readonly<Partial<Record<StageName, Readonly<Partial<Record<MetricName, number>>>>>>

export interface FlooredRun {
  readonly set: string
  /** Our own sets, or the team's beside the repository. */
  readonly folder: 'own' | 'shared'
  readonly chunking: Chunking
  readonly floors: Floors
}

/** Small sets, so that all runs take minutes on two cores; the floors are what was measured when they were set. */
export const flooredRuns: readonly FlooredRun[] = [
  {
    set: 'oncall-bilingual',
    folder: 'own',
    chunking: 'product',
    floors: { reranked: { 'ndcg@10': 0.952, 'mrr@10': 0.94 }, fused: { 'recall@20': 1 } }
  },
  {
    set: 'oncall-bilingual',
    folder: 'own',
    chunking: 'whole',
    floors: { reranked: { 'ndcg@10': 0.951, 'mrr@10': 0.945 }, fused: { 'recall@20': 0.98 } }
  },
  {
    set: 'ops-faq-en',
    folder: 'shared',
    chunking: 'whole',
    floors: { reranked: { 'ndcg@10': 0.84, 'mrr@10': 0.829 }, fused: { 'recall@20': 0.974 } }
  },
  {
    set: 'ops-ob-faq-en',
    folder: 'shared',
    chunking: 'whole',
    floors: { reranked: { 'ndcg@10': 0.758, 'mrr@10': 0.696 }, fused: { 'recall@20': 0.978 } }
  }
]

/**
 * Sets whose lexical figures must equal the oracle's: alert names in English, questions in Chinese, error codes, both
 * languages in one corpus, graded judgements, documents without text.
 */
export const exactSets = [
  'ops-alert-runbook-desc',
  'ops-faq-zh',
  'ops-ob-errcode-zh',
  'ops-tidb-identifier',
  'xquad-mixed',
  'cranfield-en'
] as const
