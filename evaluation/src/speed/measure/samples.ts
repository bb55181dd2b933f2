/** Milliseconds of each repetition. */
export type Samples = readonly number[]

export function median(samples: Samples): number {
  return percentile(samples, 0.5)
}

/** Nearest rank: the smallest sample that `share` of all do not exceed. @throws RangeError for no samples */
export function percentile(samples: Samples, share: number): number {
  if (samples.length === 0) throw new RangeError('no samples were taken')
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]!
}

/** One thing to time; it is called with 0, 1, 2 … so that each call may use another query. */
export type Contender = (round: number) => unknown

/**
 * Times contenders in turn, round by round: what else the machine does in a second then hits all of them alike, and
 * ratios stay true where absolute times do not. Two rounds before the first are not counted (compilation, page cache).
 */
export async function timeInTurn<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  rounds: number
): Promise<Readonly<Record<Name, Samples>>> {
  const warmUpRounds = 2
  const names = Object.keys(contenders) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const name of names) {
      const started = performance.now()
      await contenders[name](round + warmUpRounds)
      if (round >= 0) samples[name].push(performance.now() - started)
    }
  }
  return samples
}

/** Wall milliseconds of one call, and its value. */
export async function timeOnce<T>(work: () => Promise<T> | T): Promise<{ readonly ms: number; readonly value: T }> {
  const started = performance.now()
  const value = await work()
  return { ms: performance.now() - started, value }
}
