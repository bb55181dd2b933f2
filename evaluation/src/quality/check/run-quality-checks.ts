import { join } from 'node:path'
import { type EvaluateRequest, evaluateSet } from '../run/evaluate-set.ts'
import { openProduct, type Product } from '../run/product.ts'
import type { SetResult } from '../run/set-result.ts'
import { loadSet } from '../sets/load-set.ts'
import { exactSets, flooredRuns } from './checked-sets.ts'
import { compareExactly, holdToFloor, type QualityLine } from './compare-figures.ts'

export interface QualityCheckRequest {
  readonly folders: {
    readonly own: string
    /** Undefined where they are not there. */ readonly shared: string | undefined
  }
  readonly cacheDirectory: string
  readonly onStep: (text: string) => void
}

/** What CI holds the retrieval to: floors on small sets with the models, and the lexical branch exactly. */
export async function runQualityChecks(request: QualityCheckRequest): Promise<readonly QualityLine[]> {
  const product = openProduct(request.cacheDirectory)
  const lines: QualityLine[] = []
  try {
    for (const { set, folder, chunking, floors } of flooredRuns) {
      const directory = request.folders[folder]
      if (directory === undefined) lines.push(notHere(set))
      else
        lines.push(
          ...holdToFloor(
            await evaluate(request, product, join(directory, set), { chunking, stages: allStages }),
            floors
          )
        )
    }
    for (const set of exactSets) {
      const { shared } = request.folders
      if (shared === undefined) lines.push(notHere(set))
      else lines.push(...compareExactly(await evaluate(request, product, join(shared, set), words)))
    }
  } finally {
    await product.close()
  }
  return lines
}

/** Everything is measured, so that a fault shows in the stage where it is. */
const allStages = ['lexical', 'vector', 'fused', 'reranked'] as const
const words: EvaluateRequest = { chunking: 'whole', stages: ['lexical'] }

/** The dev half of a set; checks are never interrupted from outside. */
async function evaluate(
  { onStep }: QualityCheckRequest,
  product: Product,
  directory: string,
  how: EvaluateRequest
): Promise<SetResult> {
  const set = await loadSet(directory, { half: 'dev' })
  return evaluateSet(set, how, product, { signal: new AbortController().signal, onStep })
}

/** A clone without the shared sets is not wrong; that they were not checked is said. */
function notHere(set: string): QualityLine {
  return { ok: true, text: `${set}: not checked, the shared sets are not beside this repository` }
}
