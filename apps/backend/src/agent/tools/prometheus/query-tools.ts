import { invalidInput } from '@oncall-agent/api-contracts'
import { z } from 'zod'
import type { AgentTool } from '../agent-tool.ts'
import type { MonitoringServer } from '../monitoring/ask-server.ts'
import { timeText } from '../monitoring/plain-text.ts'
import { readDuration, readTime, TIME_FORMS } from '../monitoring/read-time.ts'
import { readInput } from '../monitoring/tool-input.ts'
import { askPrometheus, readData } from './ask-prometheus.ts'
import { resultSchema, resultText } from './result-text.ts'

/** Points of one series that a model can read; Prometheus itself stops at 11000. */
const POINTS_LIMIT = 120
/** Points when no step is given: a minute each of an hour. */
const POINTS_WANTED = 60
const RANGE_LIMIT_SECONDS = 366 * 86_400
const QUERY_LIMIT = 10_000
export const MONITORING_FAILURE_NOTE =
  'This says nothing about the values: do not claim that something is or is not happening.'

const query = z.string().trim().min(1, 'must not be empty').max(QUERY_LIMIT).describe('PromQL')
const moment = (what: string) => z.string().max(100).describe(`${what}: ${TIME_FORMS}`)

const instantSchema = z.strictObject({ query, time: moment('The moment, now when absent').optional() })
const rangeSchema = z.strictObject({
  query,
  start: moment('The beginning'),
  end: moment('The end, now when absent').optional(),
  step: z
    .string()
    .max(50)
    .optional()
    .describe(
      `Time between two points, such as 30s or 5m; at most ${POINTS_LIMIT} points are given, so it may be raised`
    )
})

/** The value of a PromQL expression at one moment. @param now seconds since the epoch */
export function createQueryTool(server: MonitoringServer, now: () => number): AgentTool {
  return {
    name: 'prometheus_query',
    description:
      'Evaluates a PromQL expression at one moment and gives the series with their values: how things are now, or were ' +
      'then. An empty result is not zero. For how something moved use prometheus_query_range, for names prometheus_labels.',
    inputSchema: z.toJSONSchema(instantSchema, { io: 'input' }),
    permission: 'allow',
    failureNote: MONITORING_FAILURE_NOTE,
    call: async (input, { signal }) => {
      const asked = readInput(instantSchema, input)
      const time = asked.time === undefined ? now() : readTime('time', asked.time, now())
      return { text: await evaluate(server, { query: asked.query, time: String(time) }, { signal }) }
    }
  }
}

/** The values of a PromQL expression over a span of time. @param now seconds since the epoch */
export function createRangeTool(server: MonitoringServer, now: () => number): AgentTool {
  return {
    name: 'prometheus_query_range',
    description:
      'Evaluates a PromQL expression over a span of time and gives the points of each series, its least and greatest ' +
      'value: when something began to move and how it went on. Equal values that follow each other are one line.',
    inputSchema: z.toJSONSchema(rangeSchema, { io: 'input' }),
    permission: 'allow',
    failureNote: MONITORING_FAILURE_NOTE,
    call: async (input, { signal }) => {
      const span = spanOf(readInput(rangeSchema, input), now())
      const { start, end, step } = span
      const parameters = { query: span.query, start: String(start), end: String(end), step: String(step) }
      const said = `${timeText(start)} to ${timeText(end)} every ${step} s${span.raisedFrom}`
      return { text: `${said}\n${await evaluate(server, parameters, { signal, step })}` }
    }
  }
}

interface Span {
  readonly query: string
  readonly start: number
  readonly end: number
  /** Whole seconds, at least 1. */
  readonly step: number
  readonly raisedFrom: string
}

function spanOf(asked: z.output<typeof rangeSchema>, now: number): Span {
  const start = readTime('start', asked.start, now)
  const end = asked.end === undefined ? now : readTime('end', asked.end, now)
  if (end <= start) throw invalidInput([{ field: 'end', problem: 'must lie behind start' }])
  if (end - start > RANGE_LIMIT_SECONDS)
    throw invalidInput([{ field: 'start', problem: 'must be at most a year before end' }])
  const least = Math.max(1, Math.ceil((end - start) / (POINTS_LIMIT - 1)))
  const wanted =
    asked.step === undefined
      ? Math.max(1, Math.ceil((end - start) / POINTS_WANTED))
      : Math.max(1, Math.ceil(readDuration('step', asked.step)))
  const raised = wanted < least
  const step = raised ? least : wanted
  const raisedFrom = raised ? ` (the step was raised from ${wanted} s: at most ${POINTS_LIMIT} points a series)` : ''
  return { query: asked.query, start, end, step, raisedFrom }
}

async function evaluate(
  server: MonitoringServer,
  parameters: Readonly<Record<string, string>>,
  { signal, step }: { readonly signal: AbortSignal; readonly step?: number }
): Promise<string> {
  // Prometheus gives up too, instead of working on for nobody.
  const all = new URLSearchParams({ ...parameters, timeout: `${server.timeoutMs}ms` })
  const path = step === undefined ? '/api/v1/query' : '/api/v1/query_range'
  const { data, warnings } = await askPrometheus(server, { path, parameters: all, method: 'POST' }, signal)
  return resultText(readData(server, resultSchema, data), warnings, step)
}
