import type { StructuredEntry } from '@oncall-agent/retrieval'
import { entryOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { MARKED, MARKED_ID, markOf } from './marked-document.ts'
import { TEST_DIMENSION } from './temporary-index.ts'

/** The entry of the marked document: text, values and vector say which version it is of. */
export function markedEntry(version: number): StructuredEntry {
  return entryOf(MARKED, MARKED_ID, {
    title: `shared title ${markOf(version)}`,
    body: `shared body ${markOf(version)} 重启服务`,
    project: markOf(version),
    errorCodes: ['E1', markOf(version)],
    contentHash: markOf(version),
    vector: unitVector(TEST_DIMENSION, new Random(version))
  })
}
