/** The work's outcome, or the signal's reason as soon as it is aborted: an answer never waits for work that ignores its signal. */
export function settledBefore<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) {
    // Nobody hears of it any more; a failure must not end the process.
    work.catch(() => undefined)
    return Promise.reject(signal.reason as Error)
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
