import { AppError } from '@oncall-agent/api-contracts'

export interface Crowd {
  /** How many are done at the same time. */
  readonly atOnce: number
  /** How many may wait for their turn; more are turned away. */
  readonly waiting: number
}

/** Seconds after which who was turned away may try again: a full queue of hashes takes about so long. */
const RETRY_SECONDS = 5

/**
 * Does a few things at once and lets the others wait, first come, first served.
 * @throws AppError RATE_LIMITED when too many wait already
 */
export function fewAtOnce({ atOnce, waiting }: Crowd): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < atOnce) running += 1
    else if (queue.length >= waiting) throw turnedAway()
    // Whoever finishes hands its place over, so the number that run stays the same.
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

function turnedAway(): AppError {
  return new AppError('RATE_LIMITED', {
    operation: 'wait for a turn',
    message: 'Too many people sign in at this moment.',
    hint: `Try again in ${RETRY_SECONDS} seconds.`,
    details: { retryAfterSeconds: RETRY_SECONDS }
  })
}
