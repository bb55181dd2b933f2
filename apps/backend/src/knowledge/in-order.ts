/**
 * Works on up to `width` items at once and yields the results in the order of the items. While the consumer is busy
 * with one result the following ones are being made; never more than `width` are held.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]()
  const running: Promise<Result>[] = []
  let exhausted = false
  try {
    while (true) {
      while (!exhausted && running.length < width) {
        const next = await source.next()
        if (next.done === true) exhausted = true
        else running.push(start(work, next.value))
      }
      const first = running.shift()
      if (first === undefined) return
      yield await first
    }
  } finally {
    await Promise.allSettled(running)
    await source.return?.()
  }
}

function start<Item, Result>(work: (item: Item) => Promise<Result>, item: Item): Promise<Result> {
  const result = work(item)
  // It is awaited in its turn; until then a rejection must not count as unhandled.
  result.catch(() => undefined)
  return result
}
