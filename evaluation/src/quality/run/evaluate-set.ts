import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EvaluationSet } from '../sets/evaluation-set.ts'
import { indexSet } from './index-set.ts'
import { measureSet } from './measure-set.ts'
import type { Product } from './product.ts'
import { rankByPipeline, rankByWords } from './rank-query.ts'
import { type SetResult, summariseSet } from './set-result.ts'
import type { Chunking, StageName } from './stage-name.ts'

/** How to evaluate. */
export interface EvaluateRequest {
  readonly chunking: Chunking
  readonly stages: readonly StageName[]
}

/** Who watches, and may stop it. */
export interface EvaluateWatch {
  readonly signal: AbortSignal
  readonly onStep: (text: string) => void
}

/**
 * Builds an index of the set in a folder of its own, asks every query through the product's pipeline, measures, and
 * removes the folder. With the lexical stage alone no model is loaded.
 */
export async function evaluateSet(
  set: EvaluationSet,
  { chunking, stages }: EvaluateRequest,
  product: Product,
  { signal, onStep }: EvaluateWatch
): Promise<SetResult> {
  const folder = await mkdtemp(join(tmpdir(), 'oncall-eval-'))
  const index = await product.openIndex(folder)
  try {
    const meanings = stages.some((stage) => stage !== 'lexical')
    const onDocuments = (done: number): void => onStep(`${set.name}: ${done} of ${set.documents.length} documents`)
    const indexed = await indexSet(set, chunking, product.indexing(index, meanings), { signal, onDocuments })
    const rank = meanings
      ? rankByPipeline(product.evidenceParts(index), indexed.setIdOf)
      : rankByWords(index.lexical, indexed.setIdOf)
    const onQuery = (done: number, total: number): void => onStep(`${set.name}: ${done} of ${total} queries`)
    const measured = await measureSet(set, stages, rank, { signal, onQuery })
    return summariseSet(set, { chunking, chunks: indexed.chunks, refused: indexed.refused }, measured)
  } finally {
    await index.close()
    await rm(folder, { recursive: true, force: true })
  }
}
