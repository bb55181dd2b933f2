import { describe, expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { addServiceMetrics, type ServiceState } from './service-metrics.ts'

const jobs = { waiting: 3, running: 1, failedLastDay: 2, oldestWaitingSeconds: 7.5 }
const index = { documents: 5, chunks: 40, bytesOnDisk: 4_096 }
const working: ServiceState = { version: '1.2.3', jobs: async () => jobs, index: async () => index }

function measured(state: Partial<ServiceState> = {}) {
  const metrics = createMetrics()
  const lines: string[] = []
  const logger = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  return { metrics, lines, service: addServiceMetrics(metrics, { ...working, ...state }, logger) }
}

describe('the measurements of a service', () => {
  test('ask for jobs and index at each scrape, once for all numbers of a part', async () => {
    let looks = 0
    const { metrics } = measured({ jobs: async () => ({ ...jobs, waiting: ++looks }) })
    expect(await metrics.text()).toMatch(/^oncall_jobs_waiting 1$/m)
    const again = await metrics.text()
    expect(again).toMatch(/^oncall_jobs_waiting 2$/m)
    expect(again).toMatch(/^oncall_jobs_oldest_waiting_seconds 7.5$/m)
    expect(again).toMatch(/^oncall_index_chunks 40$/m)
    expect(looks).toBe(2)
  })

  test('leave out what can not be read, count that, say it, and still give the rest', async () => {
    let broken = false
    const read = async () => {
      if (broken) throw new Error('the disk is gone')
      return index
    }
    const { metrics, lines } = measured({ index: read })
    expect(await metrics.text()).toMatch(/^oncall_index_documents 5$/m)
    broken = true
    const text = await metrics.text()
    expect(text).not.toMatch(/^oncall_index_documents \d/m)
    expect(text).toMatch(/^oncall_jobs_waiting 3$/m)
    expect(await metrics.text()).toMatch(/^oncall_scrape_errors_total\{part="index"\} [3-6]$/m)
    expect(lines.join('')).toContain('the disk is gone')
  })

  test('never wait for a part that does not answer', async () => {
    const { metrics } = measured({ jobs: () => new Promise(() => {}) })
    const started = performance.now()
    expect(await metrics.text()).toMatch(/^oncall_index_chunks 40$/m)
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  test('count what is told: jobs, stages, models', async () => {
    const { metrics, service } = measured()
    service.jobMoved('index-document', 'done')
    service.stageEnded('vector', 'ok', 0.004)
    service.modelFailed('embedder', 'openai', 'unavailable')
    const text = await metrics.text()
    expect(text).toContain('oncall_job_events_total{kind="index-document",event="done"} 1')
    expect(text).toContain('oncall_retrieval_stage_duration_seconds_bucket{le="0.005",stage="vector",status="ok"} 1')
    expect(text).toContain('oncall_model_errors_total{role="embedder",provider="openai",failure="unavailable"} 1')
  })
})
