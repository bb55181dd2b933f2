import { parentPort } from 'node:worker_threads'
import { failureMessage } from './failure-message.ts'
import type { CallMessage, Handlers, ReplyMessage } from './messages.ts'

type AnyHandler = (request: unknown, id: number) => unknown

/**
 * Answers calls of the main thread, one after another.
 * @param idle called after each answer, when there is time for work of the thread's own
 */
export function serve<C>(handlers: Handlers<C>, idle: () => void = () => {}): void {
  mainThread().on('message', ({ id, name, request }: CallMessage) => {
    let message: ReplyMessage
    try {
      const handler = (handlers as Record<string, AnyHandler>)[name]!
      message = { id, reply: handler(request, id) }
    } catch (error) {
      message = { id, failure: failureMessage(error, name) }
    }
    report(message)
    idle()
  })
}

/** Tells the main thread something. */
export function report(message: ReplyMessage): void {
  // A port between threads has no origin to be checked.
  mainThread().postMessage(message) // oxlint-disable-line unicorn/require-post-message-target-origin
}

function mainThread(): NonNullable<typeof parentPort> {
  if (parentPort === null) throw new Error('this module runs in a worker thread')
  return parentPort
}
