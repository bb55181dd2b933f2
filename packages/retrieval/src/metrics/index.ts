export { ndcg, reciprocalRank } from './ranking-metrics.ts'
export type { Judgements } from './ranking-metrics.ts'
