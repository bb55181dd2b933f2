import { Counter, Histogram, Registry } from 'prom-client'

/** Bounds in seconds: from an answer out of memory to the longest retrieval that a default deadline allows. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export interface AnsweredRequest {
  readonly method: string
  /** Pattern of the route ("/api/v1/documents/:id"), never the address: its values are the caller's. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** What is counted in this process. Rooms add their own measurements to the registry. */
export interface Metrics {
  readonly registry: Registry
  requestAnswered(request: AnsweredRequest): void
  /** The text that Prometheus reads. */
  text(): Promise<string>
  /** Type of that text, with its version. */
  readonly contentType: string
}

export function createMetrics(): Metrics {
  // A registry of our own: the library's is one a process, and a test has several servers.
  const registry = new Registry()
  const requests = new Counter({
    name: 'oncall_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry]
  })
  const seconds = new Histogram({
    name: 'oncall_http_request_duration_seconds',
    help: 'From the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers: [registry]
  })
  return {
    registry,
    requestAnswered: (request) => {
      const { method, route } = request
      requests.inc({ method, route, status: String(request.status) })
      seconds.observe({ method, route }, request.seconds)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType
  }
}
