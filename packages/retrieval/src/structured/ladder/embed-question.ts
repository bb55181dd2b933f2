import { PortError } from '../../ports/index.ts'
import { meantText } from '../request/index.ts'
import type { LadderRun, QueryVector } from './ladder-run.ts'

/** The vector of what is meant, asked for once a search: an embedder that was down for one stage is not waited for again. */
export async function embedQuestion(run: LadderRun): Promise<QueryVector> {
  run.queryVector ??= await embed(run)
  return run.queryVector
}

async function embed(run: LadderRun): Promise<QueryVector> {
  const text = meantText(run.question)
  if (text === undefined) return { skipped: 'nothing_to_embed' }
  const startedAt = run.now()
  try {
    const vector = await run.embed(text, run.signal)
    run.stages.push({ name: 'embed', status: 'ok', found: 1, tookMs: run.now() - startedAt })
    return { vector }
  } catch (failure) {
    run.signal?.throwIfAborted()
    if (!(failure instanceof PortError)) throw failure
    run.stages.push({ name: 'embed', status: 'failed', found: 0, tookMs: run.now() - startedAt })
    return { skipped: 'embedder_down', failure }
  }
}
