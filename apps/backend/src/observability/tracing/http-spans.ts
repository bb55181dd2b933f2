import type { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'

/** Node tells of every request of a server of this process, and Fastify of the handler that it has found for it. */
const requests = channel('http.server.request.start')
const handlers = channel('tracing:fastify.request.handler:start')
const propagator = new W3CTraceContextPropagator()

interface StartedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface FoundHandler {
  readonly request: { readonly raw: IncomingMessage; readonly id: string }
  readonly route: { readonly url: string; readonly method: string }
}

/**
 * A span for every request, from its first byte to the last of its answer; what a handler does is below it. Only the
 * pattern of the route is told, for addresses hold the caller's values. Gives the function that ends it.
 */
export function watchHttp(tracer: Tracer, current: AsyncLocalStorage<Context>): () => void {
  const spans = new WeakMap<IncomingMessage, Span>()
  const onRequest = (message: unknown): void => {
    const { request, response } = message as StartedRequest
    const method = request.method ?? 'GET'
    const attributes = { 'http.request.method': method }
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parentOf(request))
    spans.set(request, span)
    response.once('close', () => {
      span.setAttribute('http.response.status_code', response.statusCode)
      // The caller has gone before the answer was whole.
      if (!response.writableFinished) span.setAttribute('oncall.aborted', true)
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
  }
  requests.subscribe(onRequest)
  handlers.bindStore(current, (message) => {
    const { request, route } = message as FoundHandler
    const span = spans.get(request.raw)
    if (span === undefined) return current.getStore() ?? ROOT_CONTEXT
    span.updateName(`${request.raw.method} ${route.url}`)
    span.setAttributes({ 'http.route': route.url, 'oncall.request_id': request.id })
    return trace.setSpan(ROOT_CONTEXT, span)
  })
  return () => {
    requests.unsubscribe(onRequest)
    handlers.unbindStore(current)
  }
}

/** The caller's own span, when the request names it as W3C's "Trace Context" has it. */
function parentOf({ headers }: IncomingMessage): Context {
  return propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
}
