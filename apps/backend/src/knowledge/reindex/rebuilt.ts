import type { PassageEmbedding } from '@oncall-agent/retrieval'
import type { PublishedVersion } from '../../store/index.ts'
import type { Embeddable } from '../embed-documents.ts'
import type { Target } from './targets.ts'

/** Where the text of a document in the new index came from. */
export type Origin = 'file' | 'old index'

/** A document that is ready for the new index. */
export interface Rebuilt extends Embeddable {
  readonly target: Target
  readonly origin: Origin
  /** How the new index will know its content, to see whether an earlier run has done it. */
  readonly contentHash: string
  readonly version: number
  /** What the facts have to say once the new index is in place; absent when they say it already. */
  readonly facts?: PublishedVersion
  /** @param embeddings one for each chunk */
  readonly publish: (embeddings: readonly PassageEmbedding[]) => Promise<void>
}
