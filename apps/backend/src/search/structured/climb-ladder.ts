import { PortError, searchStructured, type StructuredAnswer } from '@oncall-agent/retrieval'
import { settledBefore } from '../settled-before.ts'
import type { AskedSearch } from './check-search.ts'
import { embedQuestion } from './embed-question.ts'
import { liveIndex } from './live-index.ts'
import { structuredFailure } from './structured-failure.ts'
import type { StructuredParts } from './structured-parts.ts'

/** What a search waits for. */
type Upstream = 'opening' | 'search-engine' | 'embedder'

/**
 * The ladder over live documents, within the search's deadline; whatever still runs when it is over has no reader any more.
 * @throws AppError for whatever the engine threw, which is told to the watch; the caller's own reason to stop
 */
export async function climbLadder(
  { question, settings }: AskedSearch,
  parts: StructuredParts,
  callerSignal: AbortSignal | undefined
): Promise<StructuredAnswer> {
  const deadline = AbortSignal.timeout(parts.limits.deadlineMs)
  const stop = new AbortController()
  const signal = AbortSignal.any([deadline, stop.signal, ...(callerSignal === undefined ? [] : [callerSignal])])
  let waitingFor: Upstream = 'opening'
  let lateFor: Upstream | undefined
  deadline.addEventListener('abort', () => (lateFor = waitingFor))

  async function embed(text: string): Promise<Float32Array> {
    waitingFor = 'embedder'
    return embedQuestion(parts, text, signal).finally(() => (waitingFor = 'search-engine'))
  }
  async function climb(): Promise<StructuredAnswer> {
    const index = liveIndex(await parts.index(), parts.deleted)
    waitingFor = 'search-engine'
    return searchStructured(question, { index, settings, embed, now: () => performance.now() }, signal)
  }

  try {
    return await settledBefore(signal, climb())
  } catch (cause) {
    callerSignal?.throwIfAborted()
    const isLate = cause === deadline.reason
    const isEngines = isLate ? lateFor !== 'embedder' : cause instanceof PortError || waitingFor === 'opening'
    if (isEngines) parts.watch.onEngineFailure(cause)
    throw structuredFailure(cause, isLate)
  } finally {
    stop.abort()
  }
}
