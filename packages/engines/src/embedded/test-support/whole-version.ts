import type { Recall } from '@oncall-agent/retrieval'
import { Random, unitVector } from '@oncall-agent/retrieval/conformance'
import type { IndexReader } from '../reading/index-reader.ts'
import { chunksOfVersion, MARKED, MARKED_ID, markOf } from './marked-document.ts'
import { TEST_DIMENSION } from './temporary-index.ts'

const scope = { pairs: [MARKED] }
const LIMIT = 100
/** No call is stopped. */
const CALL = 1

/**
 * The version of the marked document that a reader sees, after checking that it is whole in each branch.
 * @throws Error that says what is torn
 */
export function wholeVersion(reader: IndexReader): number {
  const words = reader.lexical({ tokens: ['shared'], scope, limit: LIMIT }, CALL)
  const version = wholeRecall(words, 'words')
  const vector = unitVector(TEST_DIMENSION, new Random(1))
  const meanings = wholeRecall(reader.vector({ vector, scope, limit: LIMIT }, CALL), 'vectors')
  if (meanings < version) throw new Error(`words are of version ${version}, vectors of ${meanings}`)
  return meanings
}

/** As above, and every other thing that is stored agrees; only where nobody writes meanwhile. */
export function wholeVersionEverywhere(reader: IndexReader): number {
  const version = wholeVersion(reader)
  const count = chunksOfVersion(version)
  const [document] = reader.documents(MARKED)
  const marks = reader.lexical({ tokens: [markOf(version)], scope, limit: LIMIT }, CALL)
  const statistics = reader.statistics({ terms: ['shared', markOf(version), markOf(version - 1)], scope }, CALL)
  const chunkIds = marks.hits.map((hit) => hit.chunkId)
  const chunks = reader.chunks({ chunkIds, scope, withVectors: true, withTokenVectors: true }, CALL)
  const marked = chunks.filter((chunk) => chunk.metadata.mark === version && chunk.content.includes(markOf(version)))
  const filtered = reader.lexical(
    { tokens: ['shared'], scope: { ...scope, metadata: { mark: version } }, limit: LIMIT },
    CALL
  )
  const seen = JSON.stringify([
    document?.version,
    document?.chunks,
    statistics.chunks,
    statistics.frequency,
    marked.length,
    filtered.hits.length
  ])
  const wanted = JSON.stringify([version, count, count, [count, count, 0], count, count])
  if (seen !== wanted) throw new Error(`version ${version} is stored as ${seen} instead of ${wanted}`)
  return version
}

/** The one version of all hits, if they are all there. */
export function wholeRecall(recall: Recall, branch: string): number {
  const versions = new Set(recall.hits.map((hit) => hit.documentVersion))
  const [version] = versions
  if (version === undefined) throw new Error(`${branch} see no version of ${MARKED_ID}`)
  if (versions.size > 1) throw new Error(`${branch} see versions ${[...versions].join(' and ')} at once`)
  if (recall.hits.length !== chunksOfVersion(version)) {
    throw new Error(`${branch} see ${recall.hits.length} of ${chunksOfVersion(version)} chunks of version ${version}`)
  }
  return version
}
