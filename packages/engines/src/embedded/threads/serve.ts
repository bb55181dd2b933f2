import { parentPort } from 'node:worker_threads'
import { failureMessage } from './failure-message.ts'
import type { CallMessage, Handlers, ReplyMessage, ReplyOf } from './messages.ts'

type AnyHandler = (request: unknown, id: number) => unknown

/** Buffers inside replies that may go to the main thread instead of being copied, by call. */
export type MovedBuffers<C> = { readonly [K in keyof C]?: (reply: ReplyOf<C, K>) => ArrayBuffer[] }

export interface ServeOptions<C> {
  /** Called after each answer, when there is time for work of the thread's own. */
  readonly idle?: () => void
  readonly moved?: MovedBuffers<C>
}

/** Answers calls of the main thread, one after another. */
export function serve<C>(handlers: Handlers<C>, { idle = () => {}, moved = {} }: ServeOptions<C> = {}): void {
  mainThread().on('message', ({ id, name, request }: CallMessage) => {
    let message: ReplyMessage
    let buffers: ArrayBuffer[] = []
    try {
      const handler = (handlers as Record<string, AnyHandler>)[name]!
      const reply = handler(request, id)
      message = { id, reply }
      buffers = (moved as Record<string, (reply: unknown) => ArrayBuffer[]>)[name]?.(reply) ?? []
    } catch (error) {
      message = { id, failure: failureMessage(error, name) }
    }
    report(message, buffers)
    idle()
  })
}

/** Tells the main thread something; `moved` are buffers in it that this thread gives away. */
export function report(message: ReplyMessage, moved: ArrayBuffer[] = []): void {
  // A port between threads has no origin to be checked.
  mainThread().postMessage(message, moved) // oxlint-disable-line unicorn/require-post-message-target-origin
}

function mainThread(): NonNullable<typeof parentPort> {
  if (parentPort === null) throw new Error('this module runs in a worker thread')
  return parentPort
}
