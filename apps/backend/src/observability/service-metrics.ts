import type { SystemSummary } from '@oncall-agent/api-contracts'
import { collectDefaultMetrics, Counter, Gauge, Histogram } from 'prom-client'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { withinLimit } from './within-limit.ts'

/** Bounds in seconds: from a lexical search in memory to the longest deadline of a stage. */
const STAGE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** A scrape never waits longer for one part; what is late is left out of it. */
const COLLECT_LIMIT_MS = 1_000

export interface ServiceState {
  readonly version: string
  /** Asked at each scrape. */
  readonly jobs: () => Promise<SystemSummary['jobs']>
  readonly index: () => Promise<Pick<SystemSummary['index'], 'documents' | 'chunks' | 'bytesOnDisk'>>
}

/** What the rooms of a process tell as it happens. */
export interface ServiceMetrics {
  /** @param event as the worker names it: taken, done, failed … */
  jobMoved(kind: string, event: string): void
  stageEnded(stage: string, status: string, seconds: number): void
  /** @param role embedder or reranker @param failure why, in the words of a port */
  modelFailed(role: string, provider: string, failure: string): void
  /** A structured search was answered with this status. */
  searchAnswered(status: string): void
  /** What a structured search needs did not do its part; at most once a search. */
  upstreamFailed(upstream: Upstream): void
}

const UPSTREAMS = ['embedder', 'search-engine'] as const
export type Upstream = (typeof UPSTREAMS)[number]

/** Adds the process, the jobs, retrieval, models and the index to the measurements. */
export function addServiceMetrics({ registry }: Metrics, state: ServiceState, logger: Logger): ServiceMetrics {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'oncall_build_info', help: 'Always 1.', labelNames: ['version', 'node'], registers }).set(
    { version: state.version, node: process.version },
    1
  )
  addGauges(registers, state, logger)
  const jobs = new Counter({
    name: 'oncall_job_events_total',
    help: 'What happened to jobs in this process.',
    labelNames: ['kind', 'event'],
    registers
  })
  const stages = new Histogram({
    name: 'oncall_retrieval_stage_duration_seconds',
    help: 'How long the stages of retrievals took.',
    labelNames: ['stage', 'status'],
    buckets: STAGE_SECONDS,
    registers
  })
  const models = new Counter({
    name: 'oncall_model_errors_total',
    help: 'Calls of a model that failed.',
    labelNames: ['role', 'provider', 'failure'],
    registers
  })
  const searches = new Counter({
    name: 'oncall_searches_total',
    help: 'Structured searches that were answered.',
    labelNames: ['status'],
    registers
  })
  // The name is the contract's.
  const upstreams = new Counter({
    name: 'upstream_errors_total',
    help: 'Structured searches that an upstream failed; without the embedder they are answered all the same.',
    labelNames: ['upstream'],
    registers
  })
  // From 0 on, so that the first failure is seen as a rise.
  for (const upstream of UPSTREAMS) upstreams.inc({ upstream }, 0)
  return {
    jobMoved: (kind, event) => jobs.inc({ kind, event }),
    stageEnded: (stage, status, seconds) => stages.observe({ stage, status }, seconds),
    modelFailed: (role, provider, failure) => models.inc({ role, provider, failure }),
    searchAnswered: (status) => searches.inc({ status }),
    upstreamFailed: (upstream) => upstreams.inc({ upstream })
  }
}

function addGauges(registers: Metrics['registry'][], { jobs, index }: ServiceState, logger: Logger): void {
  const unread = new Counter({
    name: 'oncall_scrape_errors_total',
    help: 'Parts that could not be measured in time.',
    labelNames: ['part'],
    registers
  })
  const gauges = <Value>(part: string, read: () => Promise<Value>, values: readonly GaugeOf<Value>[]): void => {
    // All gauges of a part are of one look at it.
    const look = sharedWhileRunning(read)
    for (const { name, help, of } of values) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        collect: async () => {
          try {
            gauge.set(of(await withinLimit(look(), COLLECT_LIMIT_MS)))
          } catch (err) {
            // A number that is not known must not look like the last one.
            gauge.remove()
            unread.inc({ part })
            logger.warn({ err, part }, 'a part could not be measured')
          }
        },
        registers: []
      })
      for (const registry of registers) registry.registerMetric(gauge)
    }
  }
  gauges('jobs', jobs, [
    { name: 'oncall_jobs_waiting', help: 'Jobs that wait.', of: ({ waiting }) => waiting },
    { name: 'oncall_jobs_running', help: 'Jobs that run.', of: ({ running }) => running },
    { name: 'oncall_jobs_failed_last_day', help: 'Jobs that failed.', of: ({ failedLastDay }) => failedLastDay },
    {
      name: 'oncall_jobs_oldest_waiting_seconds',
      help: 'Age of the oldest job that is due; 0 when none is.',
      of: ({ oldestWaitingSeconds }) => oldestWaitingSeconds ?? 0
    }
  ])
  gauges('index', index, [
    { name: 'oncall_index_documents', help: 'Documents in the index.', of: ({ documents }) => documents },
    { name: 'oncall_index_chunks', help: 'Chunks in the index.', of: ({ chunks }) => chunks },
    { name: 'oncall_index_bytes', help: 'Bytes of the index on the disk.', of: ({ bytesOnDisk }) => bytesOnDisk }
  ])
}

interface GaugeOf<Value> {
  readonly name: string
  readonly help: string
  readonly of: (value: Value) => number
}

function sharedWhileRunning<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => (running ??= read().finally(() => (running = undefined)))
}
