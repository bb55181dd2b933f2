import { Gauge } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

describe('metrics', () => {
  test('count requests by route and status, and measure how long they took', async () => {
    const metrics = createMetrics()
    const request = { method: 'GET', route: '/api/v1/documents/:id', status: 200, seconds: 0.03 }
    metrics.requestAnswered(request)
    metrics.requestAnswered({ ...request, status: 404 })
    const lines = (await metrics.text()).split('\n')
    expect(lines).toContain('oncall_http_requests_total{method="GET",route="/api/v1/documents/:id",status="404"} 1')
    expect(lines).toContain(
      'oncall_http_request_duration_seconds_bucket{le="0.05",method="GET",route="/api/v1/documents/:id"} 2'
    )
    expect(metrics.contentType).toMatch(/^text\/plain; version=/)
  })

  test('of two servers in one process are apart, and rooms add their own', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    const waiting = new Gauge({ name: 'oncall_jobs_waiting', help: 'Jobs that wait.', registers: [one.registry] })
    waiting.set(3)
    expect(await one.text()).toContain('oncall_jobs_waiting 3')
    expect(await other.text()).not.toContain('oncall_jobs_waiting')
  })
})
