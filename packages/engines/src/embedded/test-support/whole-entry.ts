import { isDeepStrictEqual } from 'node:util'
import { strictClause } from '@oncall-agent/retrieval'
import type { MatchRequest } from '@oncall-agent/retrieval'
import type { IndexReader } from '../reading/index-reader.ts'
import { MARKED, MARKED_ID, markOf } from './marked-document.ts'
import { markedEntry } from './marked-entry.ts'

/** No call is stopped. */
const CALL = 1

function request(...tokens: readonly string[]): MatchRequest {
  const clauses = tokens.map((token) => strictClause([token]))
  return { pairs: [MARKED], filters: {}, mode: 'all', clauses, titleBoost: 1, from: 0, size: 10 }
}

/**
 * The version of the marked entry that a search sees, after checking that its text and values are all of it.
 * @throws Error that says what is torn
 */
export function wholeEntry(reader: IndexReader): number {
  const { total, hits } = reader.entries.match(request('shared'), CALL)
  const document = hits[0]?.document
  if (total !== 1 || document === undefined) throw new Error(`${total} entries instead of one`)
  const version = Number(document.contentHash.replace('mark', ''))
  const { vector: _, ...wanted } = markedEntry(version)
  if (isDeepStrictEqual(document, wanted)) return version
  throw new Error(`version ${version} of the entry is ${JSON.stringify(document)}`)
}

/** As above, and postings, facets, vector and lists agree; only where nobody writes meanwhile. */
export function wholeEntryEverywhere(reader: IndexReader): number {
  const version = wholeEntry(reader)
  const mark = markOf(version)
  const ofMark = reader.entries.match(request(mark), CALL)
  const ofOthers = reader.entries.match({ ...request(markOf(version - 1), markOf(version + 1)), mode: 'any' }, CALL)
  const { project, errorCodes } = reader.entries.facets(
    { ...request(), fields: ['project', 'errorCodes'], buckets: 5 },
    CALL
  )
  const { vector } = markedEntry(version)
  const filters = { project: mark, errorCodes: [mark] }
  const nearest = reader.entries.nearest({ pairs: [MARKED], filters, vector: vector!, k: 5, numCandidates: 5 }, CALL)
  const listed = reader.entries.list(MARKED)
  const found = reader.entries.find(MARKED, MARKED_ID)
  const seen = JSON.stringify([
    ofMark.total,
    ofOthers.total,
    project?.buckets.map(({ value }) => value),
    errorCodes?.buckets.map(({ value }) => value),
    nearest.hits.map((hit) => hit.vectorPart.toFixed(6)),
    listed.map(({ contentHash }) => contentHash),
    found?.contentHash
  ])
  const wanted = JSON.stringify([1, 0, [mark], ['E1', mark], ['2.000000'], [mark], mark])
  if (seen !== wanted) throw new Error(`version ${version} of the entry is stored as ${seen} instead of ${wanted}`)
  return version
}
