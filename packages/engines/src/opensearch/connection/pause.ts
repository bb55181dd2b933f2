/** Waits so many milliseconds, or until any of the signals. Never rejects: whoever waited looks at the signals. */
export async function pause(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => resolve()
  const timer = setTimeout(end, ms)
  for (const signal of signals) signal?.addEventListener('abort', end, { once: true })
  if (signals.some((signal) => signal?.aborted)) end()
  await promise
  clearTimeout(timer)
  for (const signal of signals) signal?.removeEventListener('abort', end)
}
