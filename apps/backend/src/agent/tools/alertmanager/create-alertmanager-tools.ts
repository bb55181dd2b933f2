import { AppError } from '@oncall-agent/api-contracts'
import { z } from 'zod'
import type { AgentTool } from '../agent-tool.ts'
import { askServer, type MonitoringServer, outage } from '../monitoring/ask-server.ts'
import { shortened } from '../monitoring/plain-text.ts'
import { readInput } from '../monitoring/tool-input.ts'
import { alertsSchema, alertsText, silencesSchema } from './alerts-text.ts'

/** The settings' section `alerts`, as far as Alertmanager goes. */
export interface AlertmanagerSettings {
  /** Empty: there is no such tool. */
  readonly alertmanagerUrl: string
  readonly alertmanagerAccessToken: string
  readonly timeoutMs: number
}

const EXPLANATION_LIMIT = 500
const MATCHERS_LIMIT = 20

const inputSchema = z.strictObject({
  state: z
    .enum(['all', 'active', 'silenced', 'inhibited'])
    .default('all')
    .describe('Which alerts: active ones notify somebody, silenced and inhibited ones do not'),
  match: z
    .array(z.string().min(1).max(1_000))
    .max(MATCHERS_LIMIT)
    .default([])
    .describe('Matchers on labels that all must hold: alertname="DiskFull", severity=~"critical|warning", team!="web"')
})

/** Tools that read Alertmanager, for any caller: it has one address and one token, and knows no tenants. */
export function createAlertmanagerTools(settings: AlertmanagerSettings): readonly AgentTool[] {
  const { alertmanagerUrl: url, alertmanagerAccessToken: accessToken, timeoutMs } = settings
  if (url === '') return []
  const server: MonitoringServer = { name: 'Alertmanager', url, accessToken, timeoutMs }
  return [
    {
      name: 'alertmanager_alerts',
      description:
        'Lists the alerts that Alertmanager has now, with their labels, annotations, since when they fire, and whether ' +
        'they are silenced (until when, by whom, why) or inhibited. It knows nothing of alerts that are over.',
      inputSchema: z.toJSONSchema(inputSchema, { io: 'input' }),
      permission: 'allow',
      failureNote: 'This says nothing about alerts: do not claim that something fires or that nothing does.',
      call: async (input, { signal }) => {
        const { state, match } = readInput(inputSchema, input)
        const parameters = new URLSearchParams(match.map((matcher): [string, string] => ['filter', matcher]))
        for (const each of ['active', 'silenced', 'inhibited'] as const) {
          parameters.set(each, String(state === 'all' || state === each))
        }
        const alerts = await read(server, { path: '/api/v2/alerts', parameters, schema: alertsSchema }, signal)
        // A silence is only asked for where one is at work.
        const silenced = alerts.some(({ status }) => status.silencedBy.length > 0)
        const silences = { path: '/api/v2/silences', parameters: new URLSearchParams(), schema: silencesSchema }
        return { text: alertsText(alerts, silenced ? await read(server, silences, signal) : []) }
      }
    }
  ]
}

interface Reading<Schema extends z.ZodType> {
  readonly path: string
  readonly parameters: URLSearchParams
  readonly schema: Schema
}

async function read<Schema extends z.ZodType>(
  server: MonitoringServer,
  { path, parameters, schema }: Reading<Schema>,
  signal: AbortSignal
): Promise<z.output<Schema>> {
  const { status, body } = await askServer(server, { path, parameters, method: 'GET' }, signal)
  if (status === 400) throw refused(body)
  const result = schema.safeParse(body)
  if (status !== 200 || !result.success) throw outage(server, 'gave an answer of no known form')
  return result.data
}

/** A matcher that can not be read: whoever wrote it must mend it. */
function refused(body: unknown): AppError {
  const said = typeof body === 'string' ? body : String(Object(body).message ?? '')
  return new AppError('VALIDATION_FAILED', {
    operation: 'read alerts',
    subject: 'match',
    message: `Alertmanager refuses the matchers: ${shortened(said.replaceAll(/[\p{Cc}\s]+/gu, ' '), EXPLANATION_LIMIT)}`
  })
}
