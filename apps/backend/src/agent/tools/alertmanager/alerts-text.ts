import { z } from 'zod'
import { labelsText, nameText, quoted } from '../monitoring/plain-text.ts'

/** Alerts that are shown; more at once are one incident, which labels tell apart. */
const ALERTS_SHOWN = 50
const ANNOTATIONS_SHOWN = 10
const ANNOTATION_LIMIT = 1_000

const labelsSchema = z.record(z.string(), z.string())

/** Alertmanager's API v2, as far as it is read. */
export const alertsSchema = z.array(
  z.object({
    labels: labelsSchema,
    annotations: labelsSchema.default({}),
    startsAt: z.string(),
    status: z.object({
      state: z.enum(['active', 'suppressed', 'unprocessed']),
      silencedBy: z.array(z.string()).default([]),
      inhibitedBy: z.array(z.string()).default([])
    })
  })
)

export const silencesSchema = z.array(
  z.object({ id: z.string(), endsAt: z.string(), createdBy: z.string().default(''), comment: z.string().default('') })
)

export type AlertmanagerAlert = z.output<typeof alertsSchema>[number]
export type AlertmanagerSilence = z.output<typeof silencesSchema>[number]

/** The alerts as lines, the oldest first: what began first is often nearer to the cause. */
export function alertsText(alerts: readonly AlertmanagerAlert[], silences: readonly AlertmanagerSilence[]): string {
  if (alerts.length === 0) return 'no alert matches'
  const oldestFirst = alerts.toSorted((left, right) => Date.parse(left.startsAt) - Date.parse(right.startsAt))
  const shown = oldestFirst.slice(0, ALERTS_SHOWN)
  const byId = new Map(silences.map((silence) => [silence.id, silence]))
  const lines = shown.map((alert, index) => `${index + 1}. ${alertText(alert, byId)}`)
  const left = alerts.length - shown.length
  const leftOut = left > 0 ? [`${left} more alerts are left out: narrow by match.`] : []
  return [`${alerts.length} alerts, the oldest first`, ...lines, ...leftOut].join('\n')
}

function alertText(
  { labels: { alertname = '', ...labels }, annotations, startsAt, status }: AlertmanagerAlert,
  silences: ReadonlyMap<string, AlertmanagerSilence>
): string {
  const entries = Object.entries(annotations)
  const shown = entries
    .slice(0, ANNOTATIONS_SHOWN)
    .map(([name, text]) => `   ${nameText(name)}: ${quoted(text, ANNOTATION_LIMIT)}`)
  const left = entries.length - shown.length
  return [
    `${quoted(alertname)} ${stateText(status)} since ${timeOf(startsAt)} ${labelsText(labels)}`,
    ...status.silencedBy.map((id) => `   silenced ${silenceText(silences.get(id))}`),
    ...shown,
    ...(left > 0 ? [`   ${left} more annotations are left out`] : [])
  ].join('\n')
}

function stateText({ state, silencedBy, inhibitedBy }: AlertmanagerAlert['status']): string {
  if (state !== 'suppressed') return state
  const why = [silencedBy.length > 0 ? 'silenced' : '', inhibitedBy.length > 0 ? 'inhibited by another alert' : '']
  return why.filter((each) => each !== '').join(' and ') || state
}

function silenceText(silence: AlertmanagerSilence | undefined): string {
  if (silence === undefined) return 'by a silence that is gone'
  const { endsAt, createdBy, comment } = silence
  return `until ${timeOf(endsAt)} by ${quoted(createdBy, 100)}: ${quoted(comment)}`
}

/** Without fractions of a second; what is no time is shown as a text. */
function timeOf(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? quoted(text, 50) : time.toISOString().replace(/\.\d+Z$/, 'Z')
}
