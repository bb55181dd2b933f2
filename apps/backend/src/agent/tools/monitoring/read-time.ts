import { invalidInput } from '@oncall-agent/api-contracts'

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

const isoTime = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const relative = /^(?:now)?\s*-\s*(\S+)$/

/** How a model may name a moment, for the schema of a tool. */
export const TIME_FORMS =
  'ISO 8601 such as 2026-12-01T03:10:00Z, seconds since the epoch, or relative to now: now, -30m, -6h, -2d'

/**
 * Seconds since the epoch. A time without a zone is UTC: the machine's own zone is nobody's.
 * @throws AppError VALIDATION_FAILED that names the field
 */
export function readTime(field: string, text: string, now: number): number {
  const given = text.trim()
  if (given === 'now') return now
  const back = relative.exec(given)?.[1]
  if (back !== undefined) return now - readDuration(field, back)
  if (/^\d{1,11}(\.\d+)?$/.test(given)) return Number(given)
  const hasZone = /([zZ]|[+-]\d{2}:?\d{2})$/.test(given.slice('yyyy-mm-dd'.length))
  const time = isoTime.test(given) ? Date.parse(hasZone || !given.includes(':') ? given : `${given}Z`) : Number.NaN
  if (Number.isNaN(time)) throw invalidInput([{ field, problem: `must be a time: ${TIME_FORMS}` }])
  return time / 1_000
}

/**
 * Seconds of `90`, `30s`, `1h30m`.
 * @throws AppError VALIDATION_FAILED that names the field
 */
export function readDuration(field: string, text: string): number {
  const given = text.trim()
  if (/^\d{1,9}(\.\d+)?$/.test(given)) return Number(given)
  if (!/^(\d{1,9}(ms|[smhdw]))+$/.test(given)) {
    throw invalidInput([{ field, problem: 'must be a duration such as 30s, 5m, 1h30m or 2d' }])
  }
  const parts = [...given.matchAll(/(\d+)(ms|[smhdw])/g)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!]!, 0)
}
