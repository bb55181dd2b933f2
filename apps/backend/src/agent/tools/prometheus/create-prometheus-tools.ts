import type { AgentTool } from '../agent-tool.ts'
import type { MonitoringServer } from '../monitoring/ask-server.ts'
import { createLabelsTool } from './labels-tool.ts'
import { createQueryTool, createRangeTool } from './query-tools.ts'

/** The settings' section `alerts`, as far as Prometheus goes. */
export interface PrometheusSettings {
  /** Empty: there are no such tools. */
  readonly prometheusUrl: string
  readonly prometheusAccessToken: string
  readonly timeoutMs: number
}

/** Tools that read Prometheus, for any caller: it has one address and one token, and knows no tenants. */
export function createPrometheusTools(
  { prometheusUrl, prometheusAccessToken, timeoutMs }: PrometheusSettings,
  now: () => number = () => Date.now() / 1_000
): readonly AgentTool[] {
  if (prometheusUrl === '') return []
  const server: MonitoringServer = {
    name: 'Prometheus',
    url: prometheusUrl,
    accessToken: prometheusAccessToken,
    timeoutMs
  }
  return [createQueryTool(server, now), createRangeTool(server, now), createLabelsTool(server)]
}
