import { setTimeout as delay } from 'node:timers/promises'
import type { ChatParts } from './create-conversations.ts'

/**
 * Ends answers whose process died, at the start and from time to time: whichever process looks first ends them, those
 * of live processes have a lease that does not run out. Own ones live, however long the machine may have slept.
 */
export function watchAbandoned({ store, running, logger, timing, closing }: ChatParts): { stop(): Promise<void> } {
  const look = async (): Promise<void> => {
    let isFailing = false
    while (!closing.aborted) {
      try {
        const ended = await store.answers.abandonExpired(Date.now(), [...running.all.keys()])
        if (ended.length > 0) logger.warn({ messages: ended }, 'answers of a process that died have ended')
        isFailing = false
      } catch (err) {
        if (!isFailing) logger.error({ err }, 'answers of dead processes can not be looked for, trying on')
        isFailing = true
      }
      await delay(timing.sweepMs, undefined, { signal: closing, ref: false }).catch(() => undefined)
    }
  }
  const looking = look()
  return { stop: () => looking }
}
