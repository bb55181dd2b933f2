import { workerData } from 'node:worker_threads'
import { serveLane } from '../threads/serve-lane.ts'
import { LateInteraction } from '../token-vectors/late-interaction.ts'
import { comparePairs, type PairComparison, type PoolQuestion } from './compare-pairs.ts'

export interface RerankerSetup {
  readonly weightsFolder: string
}

// Entry of a worker thread of the reranker's own: a pool must not wait behind the embedding of a document.
await serveLane<PoolQuestion, readonly PairComparison[]>(async () => {
  const late = await LateInteraction.load((workerData as RerankerSetup).weightsFolder)
  return {
    answer: (question) => comparePairs(late, question),
    transferables: () => [],
    release: () => late.release()
  }
})
