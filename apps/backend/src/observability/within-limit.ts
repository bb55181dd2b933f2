/** What the work gives. @throws Error when that takes longer than `limitMs`; the work itself goes on unheard */
export function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${limitMs} ms`)), limitMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
