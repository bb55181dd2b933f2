import type { StructuredEntry } from '@oncall-agent/retrieval'
import { documentKey, storedOf } from '../indices/index.ts'

/** One line or two of a bulk request. */
export interface BulkOperation {
  /** An alias, never an index. */
  readonly target: string
  readonly lines: readonly string[]
}

/** At the same version an operation may come twice; below the one that is there it is refused. */
interface Place {
  readonly target: string
  readonly version: number
}

export function indexOperation(entry: StructuredEntry, place: Place): BulkOperation {
  const action = { index: actionOf(documentKey(entry, entry.documentId), place) }
  return { target: place.target, lines: [JSON.stringify(action), JSON.stringify(storedOf(entry))] }
}

export function deleteOperation(key: string, place: Place): BulkOperation {
  return { target: place.target, lines: [JSON.stringify({ delete: actionOf(key, place) })] }
}

function actionOf(key: string, { target, version }: Place): object {
  return { _index: target, _id: key, version, version_type: 'external_gte' }
}
