import type { Injection } from './injection.ts'

/** Prometheus' rules that record a series, with its labels, for each such case; the code is its name. */
export function rulesOf(injections: readonly Injection[]): string {
  const rules = injections.flatMap(({ code, place }) =>
    place.where === 'series' ? [{ record: code, expr: 'vector(1)', labels: place.labels }] : []
  )
  // JSON is YAML, and quotes whatever a label may hold.
  return JSON.stringify({ groups: [{ name: 'planted', interval: '1s', rules }] })
}
