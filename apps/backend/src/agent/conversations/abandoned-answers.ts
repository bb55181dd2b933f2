import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../observability/index.ts'
import type { BusinessStore } from '../../store/index.ts'

interface AbandonedAmong {
  readonly store: Pick<BusinessStore, 'answers'>
  readonly logger: Logger
  /** Answers of this process, by id: they live, however long the machine may have slept. */
  readonly alive: ReadonlyMap<string, unknown>
}

export interface AbandonedWatch extends AbandonedAmong {
  /** Milliseconds between two looks. */
  readonly sweepMs: number
  /** Aborted when the process stops. */
  readonly closing: AbortSignal
}

/** Ends answers whose process died: those of live ones have a lease that does not run out. */
export async function endAbandoned({ store, logger, alive }: AbandonedAmong): Promise<void> {
  const messages = await store.answers.abandonExpired(Date.now(), [...alive.keys()])
  if (messages.length > 0) logger.warn({ messages }, 'answers of a process that died have ended')
}

/** Does so at the start and from time to time; whichever process looks first ends them. */
export function watchAbandoned(watch: AbandonedWatch): { stop(): Promise<void> } {
  const { logger, sweepMs, closing } = watch
  const look = async (): Promise<void> => {
    let isFailing = false
    while (!closing.aborted) {
      try {
        await endAbandoned(watch)
        isFailing = false
      } catch (err) {
        if (!isFailing) logger.error({ err }, 'answers of dead processes can not be looked for, trying on')
        isFailing = true
      }
      await delay(sweepMs, undefined, { signal: closing, ref: false }).catch(() => undefined)
    }
  }
  const looking = look()
  return { stop: () => looking }
}
