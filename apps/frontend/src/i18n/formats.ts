import type { LocaleName } from './locales.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
/** Units of the SI: 1 kB = 1,000 bytes. */
const BYTE_STEP = 1_000

/** What stands for a value that does not exist: a stage that did not return a chunk has no rank, not rank 0. */
export const NOTHING = '–'

const made = new Map<LocaleName, Formats>()

/** Numbers, times and sizes as readers of a language write them; one set a language, since making it is slow. */
export function formatsOf(locale: LocaleName): Formats {
  const known = made.get(locale)
  if (known !== undefined) return known
  const formats = makeFormats(locale)
  made.set(locale, formats)
  return formats
}

function makeFormats(locale: LocaleName) {
  const tag = locale === 'zh' ? 'zh-CN' : 'en'
  const numberFormat = numberFormatsOf(tag)
  const unit = (value: number, name: string, digits: number): string =>
    numberFormat({
      style: 'unit',
      unit: name,
      unitDisplay: name === 'byte' ? 'long' : 'short',
      maximumFractionDigits: digits
    }).format(value)
  const fixed = (value: number, digits: number): string =>
    formatFixed(numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }), value, digits)
  const plain = new Intl.NumberFormat(tag)
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' })
  const share = new Intl.NumberFormat(tag, { style: 'percent' })
  return {
    number: (value: number): string => plain.format(value),
    percent: (value: number): string => share.format(value),
    dateTime: (at: number): string => moment.format(at),
    bytes: (bytes: number): string => formatBytes(bytes, unit),
    /** Milliseconds as a length of time. */
    duration: (ms: number): string => formatDuration(ms, unit),
    /** How long ago, from `now`; both in ms since the epoch. */
    ago: (at: number, now: number): string => formatAgo(at - now, relative),
    rank: (rank: number | null): string => (rank === null ? NOTHING : `#${plain.format(rank)}`),
    score: (score: number | null, digits: number): string => (score === null ? NOTHING : fixed(score, digits))
  }
}

export type Formats = ReturnType<typeof makeFormats>
type Unit = (value: number, name: string, digits: number) => string

/** Formats by what they are asked to do: a page has a few, its rows thousands. */
function numberFormatsOf(tag: string): (options: Intl.NumberFormatOptions) => Intl.NumberFormat {
  const formats = new Map<string, Intl.NumberFormat>()
  return (options) => {
    const key = JSON.stringify(options)
    const format = formats.get(key) ?? new Intl.NumberFormat(tag, options)
    formats.set(key, format)
    return format
  }
}

/** What is above 0 is never shown as 0: "<0.001". */
function formatFixed(format: Intl.NumberFormat, value: number, digits: number): string {
  const step = 10 ** -digits
  return value > 0 && value < step / 2 ? `<${format.format(step)}` : format.format(value)
}

function formatBytes(bytes: number, unit: Unit): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1)
  return unit(bytes / BYTE_STEP ** power, byteUnits[power] ?? 'byte', power === 0 ? 0 : 1)
}

function formatDuration(ms: number, unit: Unit): string {
  if (ms < SECOND) return unit(ms, 'millisecond', ms < 10 ? 1 : 0)
  if (ms < MINUTE) return unit(ms / SECOND, 'second', 1)
  if (ms < HOUR) return unit(ms / MINUTE, 'minute', 1)
  return ms < DAY ? unit(ms / HOUR, 'hour', 1) : unit(ms / DAY, 'day', 1)
}

function formatAgo(difference: number, relative: Intl.RelativeTimeFormat): string {
  const size = Math.abs(difference)
  if (size < MINUTE) return relative.format(Math.round(difference / SECOND), 'second')
  if (size < HOUR) return relative.format(Math.round(difference / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.round(difference / HOUR), 'hour')
  return relative.format(Math.round(difference / DAY), 'day')
}
