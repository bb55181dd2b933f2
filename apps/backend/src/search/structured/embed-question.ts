import { isComparable, PortError } from '@oncall-agent/retrieval'
import { settledBefore } from '../settled-before.ts'
import type { StructuredParts } from './structured-parts.ts'

type EmbedParts = Pick<StructuredParts, 'embedder' | 'limits'>

/**
 * The vector of a text within its own deadline; one that can be compared, or the embedder counts as down.
 * @throws PortError whatever the embedder threw, and when it took too long; the signal's reason when that was aborted
 */
export async function embedQuestion(
  { embedder, limits }: EmbedParts,
  text: string,
  signal: AbortSignal
): Promise<Float32Array> {
  const deadline = AbortSignal.timeout(limits.embedMs)
  const bounded = AbortSignal.any([signal, deadline])
  const { model, dimension } = embedder.fingerprint
  const about = { operation: 'embed query', subject: model }
  try {
    const { vector } = await settledBefore(bounded, embedder.embedQuery(text, bounded))
    if (isComparable(vector, dimension)) return vector
    throw new PortError('invalid-argument', { ...about, reason: `must give ${dimension} finite numbers, not all 0` })
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof PortError) throw cause
    const reason = deadline.aborted ? `gave no vector in ${limits.embedMs} ms` : 'failed'
    throw new PortError('unavailable', { ...about, reason, cause })
  }
}
