import { setTimeout as delay } from 'node:timers/promises'
import type { Message } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { ChatParts } from './chat-parts.ts'
import { stopped } from './ending-reasons.ts'
import { type MessageAddress, messageFor, ownMessage } from './kept-conversations.ts'

/** The process that writes it looks once a second, and a turn may need a moment to let go. In milliseconds. */
const WAIT_MS = 7_000

/** Stops an answer wherever it is written, and waits for its end. */
export async function stopAnswer(parts: ChatParts, caller: Caller, address: MessageAddress): Promise<Message> {
  const { store, running, timing } = parts
  const { id, status } = await ownMessage(store, caller, address)
  const run = running.all.get(id)
  if (run !== undefined) {
    run.stop(stopped())
    await run.ended
  } else if (status === 'streaming') {
    await store.answers.requestStop(id)
    const until = performance.now() + WAIT_MS
    while (performance.now() < until && !parts.closing.aborted) {
      await delay(timing.pollMs)
      if ((await ownMessage(store, caller, address)).status !== 'streaming') break
    }
  }
  return messageFor(store, caller, address)
}
