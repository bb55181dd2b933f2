import type { Metadata } from '../ports/index.ts'

/** True when every key of the filter is there with an equal value of the same type (`1` is not `"1"` is not `true`). */
export function matchesMetadata(metadata: Metadata, filter: Metadata): boolean {
  // Own keys only: a filter on "constructor" must not find what every object inherits.
  return Object.entries(filter).every(([key, value]) => Object.hasOwn(metadata, key) && metadata[key] === value)
}
