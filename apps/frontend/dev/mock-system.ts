import type { JobView, RetrievalRequest } from '@oncall-agent/api-contracts'
import { retrievalRequestSchema } from '@oncall-agent/api-contracts'
import { found, type MockHandlers, MockRefusal, type MockRequest, nextId, pageOf } from './mock-request.ts'
import { failedStages, sampleRun } from './sample-run.ts'

const DAY_SECONDS = 86_400
const statuses = ['waiting', 'running', 'failed', 'done', 'done', 'cancelled'] as const

function jobs(): readonly JobView[] {
  return Array.from({ length: 60 }, (_each, index) => {
    const status = statuses[index % statuses.length]!
    const createdAt = Date.now() - index * 600_000
    const over = status === 'done' || status === 'failed' || status === 'cancelled'
    return {
      id: `job-${index}`,
      kind: index % 7 === 0 ? 'purge-document' : 'index-document',
      tenantId: 'u-1',
      subject: `task-past-${index}`,
      status,
      attempts: status === 'waiting' ? 0 : 1,
      maxAttempts: 3,
      dueAt: createdAt,
      failure:
        status === 'failed'
          ? { code: 'SYSTEM_UNAVAILABLE', message: 'The embedder did not answer within 30 s.' }
          : null,
      createdAt,
      finishedAt: over ? createdAt + 31_000 : null
    }
  })
}

function retrieve({ state, body }: MockRequest) {
  const request: RetrievalRequest = retrievalRequestSchema.parse(body)
  const runId = nextId(state, 'run')
  if (/fail/i.test(request.query))
    throw new MockRefusal(
      'SYSTEM_UNAVAILABLE',
      { stages: failedStages, runId },
      'Knowledge reranking is temporarily unavailable.'
    )
  const { answer, stored } = sampleRun(runId, request)
  state.runs.set(runId, stored)
  return { body: answer }
}

export const systemHandlers: MockHandlers = {
  health: () => ({ body: { status: 'ok', version: '0.1.0' } }),
  ready: () => ({
    status: 503,
    body: {
      ready: false,
      version: '0.1.0',
      parts: [
        { name: 'business store', ok: true, latencyMs: 0.4, message: 'ok' },
        { name: 'knowledge index', ok: true, latencyMs: 1.2, message: 'ok' },
        { name: 'embedder', ok: true, latencyMs: 12, message: 'ok' },
        { name: 'reranker', ok: false, latencyMs: 2_000, message: 'The reranker is unavailable.' }
      ]
    }
  }),
  systemSummary: ({ state }) => {
    if (state.me?.role !== 'admin') throw new MockRefusal('AUTH_FORBIDDEN')
    return {
      body: {
        version: '0.1.0',
        uptimeSeconds: 3.2 * DAY_SECONDS,
        jobs: { waiting: 4, running: 1, failedLastDay: 2, oldestWaitingSeconds: 75 },
        index: {
          engine: 'embedded',
          documents: 10_012,
          chunks: 84_310,
          bytesOnDisk: 1_410_000_000,
          embedder: 'bundled-small',
          dimension: 384
        }
      }
    }
  },
  jobs: ({ state, query }) => {
    if (state.me?.role !== 'admin') throw new MockRefusal('AUTH_FORBIDDEN')
    return pageOf(
      jobs().filter(({ status }) => query.get('status') === null || status === query.get('status')),
      query
    )
  },
  retrieve,
  retrievalRun: ({ state, params }) => ({ body: found(state.runs.get(params.runId ?? '')) })
}
