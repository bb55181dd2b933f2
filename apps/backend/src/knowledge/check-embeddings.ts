import { AppError } from '@oncall-agent/api-contracts'
import type { EmbedderFingerprint, PassageEmbedding } from '@oncall-agent/retrieval'

/** Float32 arithmetic leaves a unit vector within about 1e-6 of length 1; a provider that rounds, within this. */
const normTolerance = 1e-2

/**
 * Believes an embedder's answer only when there is one finite vector of the right width for each text, none of them
 * zero, and of length 1 where the model says so.
 * @throws AppError SYSTEM_UNAVAILABLE; nothing of the batch may be published
 */
export function checkEmbeddings(
  texts: readonly string[],
  answers: readonly PassageEmbedding[],
  fingerprint: EmbedderFingerprint
): void {
  if (answers.length !== texts.length) {
    throw unusable(fingerprint, `${answers.length} vectors for ${texts.length} texts`)
  }
  for (const [index, answer] of answers.entries()) {
    const fault = faultOf(answer, fingerprint)
    if (fault !== undefined) throw unusable(fingerprint, `for text ${index + 1} of ${texts.length} ${fault}`)
  }
}

function faultOf({ vector, tokenCount }: PassageEmbedding, fingerprint: EmbedderFingerprint): string | undefined {
  if (vector.length !== fingerprint.dimension) {
    return `a vector of ${vector.length} numbers, ${fingerprint.dimension} were expected`
  }
  let square = 0
  for (const value of vector) square += value * value
  // One NaN or infinity makes the sum not finite.
  if (!Number.isFinite(square)) return 'a vector with values that are not finite numbers'
  if (square === 0) return 'a vector of zeros'
  if (fingerprint.normalised && Math.abs(Math.sqrt(square) - 1) > normTolerance) {
    return `a vector of length ${Math.sqrt(square).toFixed(3)}, 1 was expected`
  }
  return Number.isInteger(tokenCount) && tokenCount >= 0 ? undefined : 'no token count'
}

function unusable(fingerprint: EmbedderFingerprint, what: string): AppError {
  return new AppError('SYSTEM_UNAVAILABLE', {
    operation: 'embed chunks',
    subject: fingerprint.model,
    message: `The embedding model gave an answer that cannot be used: ${what}.`,
    hint: 'Check the configured model; documents that were indexed before are still served.',
    details: { model: fingerprint.model }
  })
}
