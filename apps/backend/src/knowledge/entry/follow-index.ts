import { AppError } from '@oncall-agent/api-contracts'
import { type KnowledgeIndex, PortError, type ReadablePair, type StructuredIndex } from '@oncall-agent/retrieval'
import { translatePortError } from '../../observability/index.ts'
import { throughPort } from '../port-failure.ts'

/** The index, and the engine outside that holds a copy of its entries, if there is one. */
export interface EntryCopy {
  readonly index: Pick<KnowledgeIndex, 'structured' | 'entry'>
  readonly searchEngine?: StructuredIndex
}

/**
 * Lets the search engine hold of one document what the index holds of it now, or nothing. Whoever writes to the index
 * calls this behind it; of several at once, also in other processes, the last to look sees what the index ended with.
 * @throws AppError as `throughEngine`
 */
export async function followIndex(copy: EntryCopy, pair: ReadablePair, documentId: string): Promise<void> {
  const { index, searchEngine } = copy
  if (searchEngine === undefined) return
  const { tenantId, knowledgeBaseId } = pair
  const look = () => throughPort(() => index.entry({ tenantId, knowledgeBaseId }, documentId))
  let entry = await look()
  for (;;) {
    const written = entry
    await throughEngine(searchEngine, async () => {
      if (written === undefined) await searchEngine.deleteDocument({ tenantId, knowledgeBaseId }, documentId)
      else await searchEngine.replaceDocument(written)
    })
    entry = await look()
    if (entry?.contentHash === written?.contentHash) return
  }
}

/** Takes a document out of the index, and leaves the search engine as it is: that may be out of reach. */
export async function removeFromIndexAlone(
  { index }: { readonly index: Pick<KnowledgeIndex, 'writer'> },
  { tenantId, knowledgeBaseId }: ReadablePair,
  documentId: string
): Promise<void> {
  await throughPort(() => index.writer.deleteDocument({ tenantId, knowledgeBaseId }, documentId))
}

/** Takes a document out of the index, and out of the search engine. */
export async function removeFromIndex(
  copy: EntryCopy & { readonly index: Pick<KnowledgeIndex, 'writer'> },
  pair: ReadablePair,
  documentId: string
): Promise<void> {
  await removeFromIndexAlone(copy, pair, documentId)
  await followIndex(copy, pair, documentId)
}

/** Runs one call of the search engine. @throws AppError in words for whoever waits for a document */
export async function throughEngine<Result>({ engine }: StructuredIndex, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (thrown) {
    const error = thrown instanceof PortError ? translatePortError(thrown) : undefined
    if (!(error instanceof AppError)) throw thrown
    throw new AppError(error.code, {
      operation: error.operation,
      subject: error.subject,
      // One sentence more: of a task a person sees the message alone, and hints are ours, without addresses.
      message: `The search engine (${engine}) could not be brought up to date. ${error.hint}`.trimEnd(),
      cause: thrown
    })
  }
}
