import { PortError, WITHOUT_LIMIT } from '@oncall-agent/retrieval'
import type { ReadablePair, StructuredIndex, StructuredRecall, StructuredSelection } from '@oncall-agent/retrieval'

/** What the facts know of documents that an index may still have. */
export interface DeletedDocuments {
  /** Those of the documents that are deleted. */
  among(documentIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Ids of deleted documents that may not have left the index, `limit` at most; mostly none. */
  leaving(pairs: readonly ReadablePair[], limit: number): Promise<readonly string[]>
}

type Searched = Pick<StructuredIndex, 'match' | 'facets' | 'nearest'>

/** Times that a page is asked for because a document was deleted since the facts were asked. */
const TRIES = 5
const operation = 'search live documents'

/**
 * The index without documents that the facts call deleted: they are in no page, no total and no facet, so what follows from
 * a total does not follow from them. For one search: it asks once what is leaving, before the index is asked, and every page
 * is checked by id, so that a document deleted since then is left out as well, of this page and of whatever is asked later.
 * Its methods throw PortError `unavailable` when more are leaving than an index can leave out, or pages never settle.
 */
export function liveIndex(index: Searched, deleted: DeletedDocuments): Searched {
  let asked: Promise<void> | undefined
  const without = new Set<string>()

  async function readLeaving(pairs: readonly ReadablePair[]): Promise<void> {
    for (const id of await deleted.leaving(pairs, WITHOUT_LIMIT + 1)) without.add(id)
  }

  async function live<Request extends StructuredSelection>(request: Request): Promise<Request> {
    await (asked ??= readLeaving(request.pairs))
    if (without.size > WITHOUT_LIMIT)
      throw unsettled(`more than ${WITHOUT_LIMIT} deleted documents are leaving the index`)
    return without.size === 0 ? request : { ...request, without: [...without] }
  }

  /** A page of live documents; one that shows a deleted one is asked for again, without whatever is leaving by then. */
  async function page<Request extends StructuredSelection>(
    request: Request,
    ask: (request: Request) => Promise<StructuredRecall>
  ): Promise<StructuredRecall> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const recall = await ask(await live(request))
      const gone = await deleted.among(recall.hits.map(({ document }) => document.documentId))
      if (gone.size === 0) return recall
      for (const id of gone) without.add(id)
      await readLeaving(request.pairs)
    }
    throw unsettled('documents were deleted again and again while they were searched')
  }

  return {
    match: (request, signal) => page(request, (wanted) => index.match(wanted, signal)),
    nearest: (request, signal) => page(request, (wanted) => index.nearest(wanted, signal)),
    facets: async (request, signal) => index.facets(await live(request), signal)
  }
}

function unsettled(reason: string): PortError {
  const hint = 'Search again when the documents have left the index.'
  return new PortError('unavailable', { operation, subject: 'knowledge index', reason, hint })
}
