import type { Tracing, TracingOptions } from './tracing/tracing.ts'

/** Nothing of OpenTelemetry is loaded unless an endpoint is given. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  if (options.endpoint === '') return noTracing
  const { openOtlpTracing } = await import('./tracing/otlp-tracing.ts')
  return openOtlpTracing(options)
}

const noTracing: Tracing = {
  span: (_name, _attributes, work) => work(),
  record: () => {},
  close: async () => {}
}
