import { type Embedder, PortError, type Reranker } from '@oncall-agent/retrieval'
import type { JobEvent } from '../jobs/index.ts'
import {
  addServiceMetrics,
  createMetrics,
  followRequests,
  type Metrics,
  openTracing,
  type ServiceMetrics,
  type Tracing
} from '../observability/index.ts'
import type { EndedStage } from '../search/index.ts'
import { embedderOver } from './embedder-over.ts'
import type { ClosableReranker, Parts } from './parts.ts'
import type { SearchMeasures } from './structured-search-of.ts'

/** A long-running process with everything about it that is measured and traced. */
export interface Observed {
  /** The same parts, whose models are watched. */
  readonly parts: Parts
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly onStage: (stage: EndedStage) => void
  readonly searchMeasures: SearchMeasures & { readonly onAnswered: (status: string) => void }
  readonly onJobEvent: (event: JobEvent) => void
  close(): Promise<void>
}

/** Begins to measure and, when an endpoint is configured, to trace. */
export async function observe(parts: Parts): Promise<Observed> {
  const { settings, logger, version, store, index } = parts
  const metrics = createMetrics()
  const state = {
    version,
    jobs: async () => (await store.get()).jobs.counts(Date.now()),
    index: async () => (await index.get()).size()
  }
  const service = addServiceMetrics(metrics, state, logger)
  const tracing = await openTracing({ endpoint: settings.observability.traceEndpoint, version, logger })
  const unfollow = followRequests()
  return {
    parts: { ...parts, ...watchedModels(parts, service) },
    metrics,
    tracing,
    onStage: (stage) => {
      const { name, status, engine, candidates, tookMs, startedAt } = stage
      service.stageEnded(name, status, tookMs / 1_000)
      const attributes = { 'oncall.stage': name, 'oncall.engine': engine, 'oncall.candidates': candidates }
      tracing.record({ name: `stage ${name}`, startedAt, tookMs, attributes, failed: status === 'failed' })
    },
    searchMeasures: {
      onEmbedderDown: () => service.upstreamFailed('embedder'),
      onEngineFailure: () => service.upstreamFailed('search-engine'),
      onAnswered: (status) => service.searchAnswered(status)
    },
    onJobEvent: jobEvents(service, tracing),
    close: async () => {
      unfollow()
      await tracing.close()
    }
  }
}

/** Counts what happens to jobs, and makes a span of each attempt: from being taken up to whatever ends it here. */
function jobEvents(service: ServiceMetrics, tracing: Tracing): (event: JobEvent) => void {
  const taken = new Map<string, number>()
  return ({ name, job, at }) => {
    service.jobMoved(job.kind, name)
    if (name === 'taken') {
      taken.set(job.id, at)
      return
    }
    const startedAt = taken.get(job.id)
    if (startedAt === undefined) return
    taken.delete(job.id)
    const attributes = {
      'oncall.job_id': job.id,
      'oncall.job_subject': job.subject,
      'oncall.job_attempt': job.attempt,
      'oncall.job_event': name
    }
    const failed = name === 'failed' || name === 'retried' || name === 'lost'
    tracing.record({ name: `job ${job.kind}`, startedAt, tookMs: at - startedAt, attributes, failed })
  }
}

function watchedModels(
  { embedder, reranker, settings }: Parts,
  service: ServiceMetrics
): Pick<Parts, 'embedder' | 'reranker'> {
  const count = (role: string, provider: string) => (thrown: unknown) => {
    // Whoever gave up has aborted the call: that says nothing of the model.
    if (thrown instanceof PortError) service.modelFailed(role, provider, thrown.failure)
    throw thrown
  }
  return {
    embedder: watchedEmbedder(embedder, count('embedder', settings.embedding.provider)),
    reranker: watchedReranker(reranker, count('reranker', settings.rerank.provider))
  }
}

/** Told of a failure, which it throws again. */
type OnFailure = (thrown: unknown) => never

function watchedEmbedder(embedder: Embedder, onFailure: OnFailure): Embedder {
  return embedderOver(embedder, {
    warm: () => embedder.warm().catch(onFailure),
    embedPassages: (texts, signal) => embedder.embedPassages(texts, signal).catch(onFailure),
    embedQuery: (text, signal) => embedder.embedQuery(text, signal).catch(onFailure)
  })
}

function watchedReranker(reranker: ClosableReranker, onFailure: OnFailure): ClosableReranker {
  const rerank: Reranker['rerank'] = (request, signal) => reranker.rerank(request, signal).catch(onFailure)
  const { name, needs } = reranker
  return {
    name,
    needs,
    get state() {
      return reranker.state ?? 'warm'
    },
    rerank,
    close: () => reranker.close()
  }
}
