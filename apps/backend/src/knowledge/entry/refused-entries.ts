import { AppError } from '@oncall-agent/api-contracts'
import { isComparable, PortError, type StructuredCapabilities, type StructuredEntry } from '@oncall-agent/retrieval'

/** Ids that a message names; `details` has all of them. */
const NAMED = 10

/** Entries that a search engine does not take, by document, and why; the others are copied all the same. */
export type RefusedEntries = Map<string, string>

/** Why no engine outside would take an entry; undefined when nothing speaks against it. */
export function refusalOf(
  entry: StructuredEntry,
  { knowledgeTypes, dimension }: StructuredCapabilities
): string | undefined {
  const { knowledgeType, project = '', equipment = '', errorCodes, vector } = entry
  if (!knowledgeTypes.includes(knowledgeType)) return `its type ${knowledgeType} is not configured`
  if (vector !== undefined && !isComparable(vector, dimension)) return `its vector does not have ${dimension} numbers`
  const isWhole = [project, equipment, ...errorCodes].every((value) => value.isWellFormed())
  return isWhole ? undefined : 'what it is filtered by holds half a character'
}

/** The document that an engine refused, as it said or as `throughEngine` passed it on; undefined for any other failure. */
export function refusedDocument(thrown: unknown): { readonly documentId: string; readonly reason: string } | undefined {
  const failure = thrown instanceof AppError ? thrown.cause : thrown
  if (!(failure instanceof PortError) || failure.failure !== 'invalid-argument') return undefined
  return { documentId: failure.subject, reason: failure.message }
}

/** To be thrown when the rest is done: a search does not find these. */
export function leftOut(engine: string, refused: ReadonlyMap<string, string>): AppError {
  const all = [...refused].map(([documentId, reason]) => ({ documentId, reason }))
  const named = all.slice(0, NAMED).map(({ documentId, reason }) => `${documentId} (${reason})`)
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : ''
  const were = all.length === 1 ? 'document was' : 'documents were'
  return new AppError('VALIDATION_FAILED', {
    operation: 'fill search engine',
    subject: engine,
    message: `${engine} is filled, but ${all.length} ${were} left out that it does not take: ${named.join(', ')}${more}.`,
    hint: 'Index these documents again, or `oncall reindex` for all; then they are copied.',
    details: { documents: all }
  })
}
