/** Characters of one label's or annotation's value; a longer one ends with an ellipsis. */
const VALUE_LIMIT = 500
const NAME_LIMIT = 200

/**
 * Somebody else's text on one line, in quotes that it can not leave: labels and annotations are data.
 */
export function quoted(text: string, limit = VALUE_LIMIT): string {
  return JSON.stringify(shortened(text, limit))
}

export function shortened(text: string, limit: number): string {
  const whole = text.toWellFormed()
  return whole.length <= limit ? whole : `${whole.slice(0, limit).toWellFormed()}…`
}

/** `up{job="api"}`, as Prometheus writes a series; labels by name. */
export function seriesText({ __name__: name = '', ...labels }: Readonly<Record<string, string>>): string {
  return labelsText(labels, name === '' ? '' : nameText(name))
}

/** A name as it is where it is a plain one; newer servers take any text for a name, and such stands in quotes. */
export function nameText(name: string): string {
  return /^[\w:.-]{1,200}$/.test(name) ? name : quoted(name, NAME_LIMIT)
}

export function labelsText(labels: Readonly<Record<string, string>>, name = ''): string {
  const pairs = Object.entries(labels)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([label, value]) => `${nameText(label)}=${quoted(value)}`)
  return `${name}{${pairs.join(', ')}}`
}

/** 1796130916.995 → 2026-12-01T13:15:16.995Z; whole seconds without a fraction. */
export function timeText(seconds: number): string {
  const time = new Date(seconds * 1_000)
  return Number.isNaN(time.getTime()) ? `${seconds} s` : time.toISOString().replace('.000Z', 'Z')
}
