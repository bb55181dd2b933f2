import { type ApiClient, createApiClient, type MessageEvent, type ReceivedEvent } from '@oncall-agent/api-contracts'
import type { Served, SignedInPerson } from './served.ts'

export type Received = ReceivedEvent<MessageEvent>

/** The typed client as one person's key. */
export async function clientOf(served: Pick<Served, 'port'>, person: SignedInPerson): Promise<ApiClient> {
  return clientWith(served, await person.key('retrieve'))
}

/** As a key that was made before, perhaps by another server on the same data folder. */
export function clientWith({ port }: Pick<Served, 'port'>, key: Awaited<ReturnType<SignedInPerson['key']>>): ApiClient {
  const { authorization = '' } = key
  return createApiClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: authorization.slice('Bearer '.length) })
}

/** Asks in a conversation of its own, or in one that is given, and gives the stream. */
export async function asking(api: ApiClient, content: string, conversationId?: string) {
  const id = conversationId ?? (await api.createConversation({ body: {} })).id
  const abort = new AbortController()
  const stream = await api.sendMessage({ params: { id }, body: { content }, signal: abort.signal })
  const first = (await stream.next()).value as Received
  if (first.event.type !== 'message.started') throw new Error(`the stream begins with ${first.event.type}`)
  const { messageId } = first.event
  return { id, messageId, params: { id, messageId }, first, stream, leave: () => abort.abort() }
}

/** The rest of a stream. */
export async function restOf(stream: AsyncIterable<Received>): Promise<readonly Received[]> {
  const events: Received[] = []
  for await (const each of stream) events.push(each)
  return events
}

/** Everything that is told of an answer from behind an event. */
export async function eventsOf(
  api: ApiClient,
  params: { readonly id: string; readonly messageId: string },
  lastEventId?: string
): Promise<readonly Received[]> {
  return restOf(await api.messageEvents({ params, ...(lastEventId === undefined ? {} : { lastEventId }) }))
}

/** The text as a client puts it together: each piece at its offset, what lies behind gives way. */
export function textOf(events: readonly Received[], from = ''): string {
  return events.reduce(
    (text, { event }) => (event.type === 'message.delta' ? text.slice(0, event.offset) + event.text : text),
    from
  )
}

export function typesOf(events: readonly Received[]): readonly string[] {
  return events.map(({ event }) => event.type)
}

/** The event that ended a stream. @throws Error when it had none */
export function lastOf(events: readonly Received[]): Extract<MessageEvent, { type: 'message.completed' | 'error' }> {
  const last = events.at(-1)?.event
  if (last?.type === 'message.completed' || last?.type === 'error') return last
  throw new Error(`the stream ended with ${last?.type}`)
}

/** A gate that a script waits at until the test opens it; it does not outlive the signal. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const pass = async (signal: AbortSignal): Promise<void> => {
    const stopped = Promise.withResolvers<never>()
    const stop = () => stopped.reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    await Promise.race([promise, stopped.promise])
  }
  return { open: resolve, pass }
}
