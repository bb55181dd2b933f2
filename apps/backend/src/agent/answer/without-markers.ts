import { MarkerFilter } from './marker-filter.ts'

/** An answer without its references, code and links as they were. */
export function withoutMarkers(text: string): string {
  const filter = new MarkerFilter(() => false)
  return filter.push(text) + filter.end()
}
