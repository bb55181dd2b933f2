import { AppError } from '@oncall-agent/api-contracts'
import { z } from 'zod'
import { askServer, type MonitoringRequest, type MonitoringServer, outage } from '../monitoring/ask-server.ts'
import { shortened } from '../monitoring/plain-text.ts'

/** Characters of Prometheus' own explanation: it repeats the query, and a model needs the position in it. */
const EXPLANATION_LIMIT = 1_000

const envelopeSchema = z.object({
  status: z.enum(['success', 'error']),
  data: z.unknown().optional(),
  errorType: z.string().optional(),
  error: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  infos: z.array(z.string()).optional()
})

export interface PrometheusAnswer {
  readonly data: unknown
  /** Prometheus' remarks on a result that may be incomplete. */
  readonly warnings: readonly string[]
}

/**
 * One read of Prometheus.
 * @throws AppError VALIDATION_FAILED with Prometheus' own words when the query is at fault, for whoever wrote it must
 * mend it; SYSTEM_UNAVAILABLE; the signal's reason
 */
export async function askPrometheus(
  server: MonitoringServer,
  request: MonitoringRequest,
  signal: AbortSignal
): Promise<PrometheusAnswer> {
  const { status, body } = await askServer(server, request, signal)
  const envelope = envelopeSchema.safeParse(body)
  if (!envelope.success)
    throw outage(server, status === 503 ? 'answered with status 503' : 'gave an answer of no known form')
  const { data, errorType = '', error = '', warnings = [], infos = [] } = envelope.data
  if (envelope.data.status === 'success') return { data, warnings: [...warnings, ...infos] }
  if (errorType === 'timeout' || errorType === 'canceled')
    throw outage(server, 'gave up the query because it took too long')
  // 503 and "internal" are its own faults; what is left is the query's.
  if (status === 503 || errorType === 'internal' || errorType === 'unavailable')
    throw outage(server, 'has a fault of its own')
  throw new AppError('VALIDATION_FAILED', {
    operation: 'query Prometheus',
    subject: errorType,
    message: `Prometheus refuses the query: ${shortened(error.replaceAll(/[\p{Cc}\s]+/gu, ' '), EXPLANATION_LIMIT)}`
  })
}

/** @throws AppError SYSTEM_UNAVAILABLE for data of another form than the interface has */
export function readData<Schema extends z.ZodType>(server: MonitoringServer, schema: Schema, data: unknown) {
  const result = schema.safeParse(data)
  if (!result.success) throw outage(server, 'gave an answer of no known form')
  return result.data as z.output<Schema>
}
