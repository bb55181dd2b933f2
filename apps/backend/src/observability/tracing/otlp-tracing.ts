import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, diag, DiagLogLevel, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { redactText } from '../redact.ts'
import type { Logger } from '../logger.ts'
import type { PastSpan, SpanAttributes, Tracing, TracingOptions } from './tracing.ts'
import { watchHttp } from './http-spans.ts'

/** Milliseconds between two sendings, and the longest that one of them, or the end of the process, waits. */
const SEND_EVERY_MS = 2_000
const SEND_LIMIT_MS = 3_000

/** Spans by OpenTelemetry's own parts, sent as OTLP over HTTP. */
export function openOtlpTracing({ endpoint, version, logger }: TracingOptions): Tracing {
  const told = tellFailures(logger)
  const exporter = new OTLPTraceExporter({ url: addressOf(endpoint), timeoutMillis: SEND_LIMIT_MS })
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_LIMIT_MS
  })
  const resource = resourceFromAttributes({ 'service.name': 'oncall-agent', 'service.version': version })
  const provider = new TracerProvider({ resource, spanProcessors: [processor] })
  const tracer = provider.getTracer('oncall-agent', version)
  const current = new AsyncLocalStorage<Context>()
  const here = (): Context => current.getStore() ?? ROOT_CONTEXT
  const stopWatching = watchHttp(tracer, current)

  return {
    span: (name: string, attributes: SpanAttributes, work) => {
      const span = tracer.startSpan(name, { attributes }, here())
      return current.run(trace.setSpan(here(), span), () => ended(span, work()))
    },
    record: ({ name, startedAt, tookMs, attributes, failed }: PastSpan) => {
      const span = tracer.startSpan(name, { attributes, startTime: startedAt }, here())
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(startedAt + tookMs)
    },
    close: async () => {
      stopWatching()
      // A collector that is away has been told of; stopping must not fail for it.
      await provider.shutdown().catch(told)
      diag.disable()
    }
  }
}

async function ended<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(thrown) })
    throw thrown
  } finally {
    span.end()
  }
}

/** A code of the catalogue at most: messages may hold what a person has asked. */
function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'INTERNAL'
}

function addressOf(endpoint: string): string {
  const url = new URL(endpoint)
  if (url.pathname === '/') url.pathname = '/v1/traces'
  return url.href
}

/** Said once an outage lasts, not every two seconds. */
const TOLD_AGAIN_AFTER_MS = 60_000

/** Successes need no line. */
function nothing(): void {}

/** What the parts of OpenTelemetry say of sending goes to the log: they never reject. */
function tellFailures(logger: Logger): (thrown: unknown) => void {
  let lastTold = Number.NEGATIVE_INFINITY
  const tell = (thrown: unknown): void => {
    if (performance.now() - lastTold < TOLD_AGAIN_AFTER_MS) return
    lastTold = performance.now()
    const reason = redactText(thrown instanceof Error ? thrown.message : String(thrown))
    logger.warn({ reason }, 'traces can not be sent')
  }
  diag.setLogger(
    { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true }
  )
  return tell
}
