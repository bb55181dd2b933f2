import { z } from 'zod'
import type { AgentTool } from '../agent-tool.ts'
import type { MonitoringServer } from '../monitoring/ask-server.ts'
import { shortened } from '../monitoring/plain-text.ts'
import { readInput } from '../monitoring/tool-input.ts'
import { askPrometheus, readData } from './ask-prometheus.ts'
import { MONITORING_FAILURE_NOTE } from './query-tools.ts'

/** Names that are shown at once; a server has some thousand metrics. */
const NAMES_SHOWN = 200
const NAME_LIMIT = 300
const ALL_LABELS = '*'

const inputSchema = z.strictObject({
  label: z
    .string()
    .regex(/^([a-zA-Z_][a-zA-Z0-9_]*|\*)$/, 'must be the name of a label, or *')
    .max(200)
    .optional()
    .describe('A label whose values are wanted; * for the names of the labels; absent for the names of the metrics'),
  match: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Only of series that match: up{job="api"} or {namespace="payments"}'),
  contains: z.string().max(200).optional().describe('Only names or values that hold this text, whatever its case')
})

/** What there is to ask for: metrics, labels and their values. */
export function createLabelsTool(server: MonitoringServer): AgentTool {
  return {
    name: 'prometheus_labels',
    description:
      'Lists the names of metrics, the names of labels (label "*") or the values of one label in Prometheus, of all ' +
      'series or those that match. Use it before a query instead of guessing names.',
    inputSchema: z.toJSONSchema(inputSchema, { io: 'input' }),
    permission: 'allow',
    failureNote: MONITORING_FAILURE_NOTE,
    call: async (input, { signal }) => {
      const { label = '__name__', match, contains = '' } = readInput(inputSchema, input)
      const path = label === ALL_LABELS ? '/api/v1/labels' : `/api/v1/label/${encodeURIComponent(label)}/values`
      const parameters = new URLSearchParams(match === undefined ? {} : { 'match[]': match })
      const { data } = await askPrometheus(server, { path, parameters, method: 'GET' }, signal)
      const names = readData(server, z.array(z.string()), data)
      const wanted = names.filter((name) => name.toLowerCase().includes(contains.toLowerCase()))
      return { text: listText(wanted) }
    }
  }
}

function listText(names: readonly string[]): string {
  if (names.length === 0) return 'nothing matches'
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map((name) => shortened(name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' '), NAME_LIMIT))
  const left = names.length - shown.length
  const leftOut = left > 0 ? [`${left} more are left out: narrow by match or contains.`] : []
  return [`${names.length} found`, ...shown, ...leftOut].join('\n')
}
