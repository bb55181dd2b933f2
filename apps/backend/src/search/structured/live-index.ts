import type {
  FacetRequest,
  MatchRequest,
  NearestRequest,
  ReadablePair,
  StructuredFacets,
  StructuredHit,
  StructuredIndex,
  StructuredRecall
} from '@oncall-agent/retrieval'
import { subtractFacets } from './subtract-facets.ts'

/** What the facts know of documents that an index may still have. */
export interface DeletedDocuments {
  /** Those of the documents that are deleted. */
  among(documentIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Ids of deleted documents that may not have left the index; mostly none. */
  leaving(pairs: readonly ReadablePair[]): Promise<readonly string[]>
}

/**
 * So far a search looks for deleted documents among all that match. Behind it a total may count one that is being deleted;
 * a status cannot be wrong by it, for no setting makes that many documents a strict hit.
 */
const LOOKED_THROUGH = 1_000

type Searched = Pick<StructuredIndex, 'match' | 'facets' | 'nearest' | 'capabilities'>

/**
 * The index without documents that the facts call deleted: they are in no page, no total and no facet, so what follows from
 * a total does not follow from them. Costs two questions to the facts while nothing is being deleted, as nearly always.
 * For one search: it asks once what is leaving, before the index is asked.
 */
export function liveIndex(index: Searched, deleted: DeletedDocuments): Omit<Searched, 'capabilities'> {
  let asked: Promise<readonly string[]> | undefined
  const leaving = (pairs: readonly ReadablePair[]) => (asked ??= deleted.leaving(pairs))

  async function match(request: MatchRequest, signal?: AbortSignal): Promise<StructuredRecall> {
    const { length } = await leaving(request.pairs)
    const recall = await index.match(request, signal)
    if (recall.total === 0) return recall
    if (length === 0 && (await deleted.among(idsOf(recall.hits))).size === 0) return recall
    const { rescore, from, size } = request
    const { maxWindow } = index.capabilities
    const depth = Math.min(recall.total, Math.max(from + size, LOOKED_THROUGH) + length, maxWindow)
    // The window is of live documents.
    const wider = rescore && { rescore: { ...rescore, window: Math.min(rescore.window + length, maxWindow) } }
    const whole = await index.match({ ...request, from: 0, size: depth, ...wider }, signal)
    const { live, gone } = await parted(whole.hits)
    return { total: whole.total - gone.length, hits: live.slice(from, from + size) }
  }

  async function facets(request: FacetRequest, signal?: AbortSignal): Promise<StructuredFacets> {
    const { length } = await leaving(request.pairs)
    if (length === 0) return index.facets(request, signal)
    const size = Math.min(LOOKED_THROUGH + length, index.capabilities.maxWindow)
    const { hits } = await index.match({ ...request, titleBoost: 1, from: 0, size }, signal)
    const { gone } = await parted(hits)
    return subtractFacets(
      request,
      gone.map(({ document }) => document),
      (widened) => index.facets(widened, signal)
    )
  }

  async function nearest(request: NearestRequest, signal?: AbortSignal): Promise<StructuredRecall> {
    const { length } = await leaving(request.pairs)
    const k = Math.min(request.k + length, index.capabilities.maxWindow)
    const recall = await index.nearest({ ...request, k, numCandidates: Math.max(request.numCandidates, k) }, signal)
    const hits = (await parted(recall.hits)).live.slice(0, request.k)
    return { total: hits.length, hits }
  }

  async function parted(hits: readonly StructuredHit[]): Promise<Record<'live' | 'gone', readonly StructuredHit[]>> {
    const ids = await deleted.among(idsOf(hits))
    const isGone = ({ document }: StructuredHit): boolean => ids.has(document.documentId)
    return { live: hits.filter((hit) => !isGone(hit)), gone: hits.filter(isGone) }
  }

  return { match, facets, nearest }
}

function idsOf(hits: readonly StructuredHit[]): readonly string[] {
  return hits.map(({ document }) => document.documentId)
}
