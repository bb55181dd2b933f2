/**
 * The work's outcome, or the signal's reason as soon as it is aborted: work that does not listen to the signal is left
 * behind, and what becomes of it later is nobody's concern.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  // Whichever of the two loses may still reject, with nobody waiting for it.
  work.catch(() => {})
  try {
    return await Promise.race([promise, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
