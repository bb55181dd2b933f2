import type { Logger } from '../logger.ts'

/** What is told of a span. Never contents of documents or questions: whoever runs the collector may not read them. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Something that is over. */
export interface PastSpan {
  readonly name: string
  /** Milliseconds since the epoch, with fractions. */
  readonly startedAt: number
  readonly tookMs: number
  readonly attributes: SpanAttributes
  readonly failed: boolean
}

/** Spans go to a collector; everything is sent in the background, and nothing waits for it but `close`. */
export interface Tracing {
  /** Runs `work` as a span below the one that runs now; a rejection marks it as failed. */
  span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>
  /** A span that is over, below the one that runs now. */
  record(span: PastSpan): void
  /** Sends what is left, within some seconds, and sends no more. */
  close(): Promise<void>
}

export interface TracingOptions {
  /** OTLP over HTTP; empty switches tracing off. Without a path, `/v1/traces` is meant. */
  readonly endpoint: string
  readonly version: string
  readonly logger: Logger
}
