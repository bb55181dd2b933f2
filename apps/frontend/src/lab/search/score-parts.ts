import type { SearchHit, SearchResponse } from '@oncall-agent/api-contracts'
import { answering } from './search-answer.ts'

/** One term of a score. */
export interface ScoreTerm {
  readonly weight: number
  readonly value: number
}

/**
 * What a hit is ranked by: words and meaning, each by its weight; words alone where nothing was rescored; meaning alone
 * where no keyword matched; nothing where nothing was asked, and documents come in the order of their creation.
 */
export type ScoreParts =
  | { readonly by: 'both'; readonly words: ScoreTerm; readonly meaning: ScoreTerm }
  | { readonly by: 'words' | 'meaning' | 'nothing' }

/** Contract 2: (1 - w)·bm25 + w·vector_part, w being `vector_weight`. */
export function scorePartsOf(hit: SearchHit, response: SearchResponse): ScoreParts {
  if (response.status === 'vector_only') return { by: 'meaning' }
  const stage = answering(response)
  if (stage?.rescore !== 'done') return { by: stage?.reason === 'nothing_to_embed' ? 'nothing' : 'words' }
  const { vector_weight: weight } = response.settings
  return {
    by: 'both',
    words: { weight: 1 - weight, value: hit.bm25 },
    meaning: { weight, value: hit.vector_part }
  }
}
