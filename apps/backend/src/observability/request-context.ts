import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

/** Fastify tells here of the handler that it has found for a request, and runs it with what is bound to the channel. */
const handlers = channel('tracing:fastify.request.handler:start')
const requestIds = new AsyncLocalStorage<string>()

/** From now on lines that are written while a request is handled carry its id. Gives the function that ends it. */
export function followRequests(): () => void {
  handlers.bindStore(requestIds, (message) => (message as { readonly request: { readonly id: string } }).request.id)
  return () => void handlers.unbindStore(requestIds)
}

/** What belongs on every line that is written now. */
export function requestFields(): { readonly requestId?: string } {
  const requestId = requestIds.getStore()
  return requestId === undefined ? {} : { requestId }
}
