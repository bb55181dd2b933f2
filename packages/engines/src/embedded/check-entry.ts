import { isComparable, PortError } from '@oncall-agent/retrieval'
import type { StructuredCapabilities, StructuredEntry } from '@oncall-agent/retrieval'

export type EntryRule = Pick<StructuredCapabilities, 'knowledgeTypes' | 'dimension'>

/** @throws PortError invalid-argument for an entry that could not be found again as it is */
export function checkEntry(entry: StructuredEntry, { knowledgeTypes, dimension }: EntryRule): void {
  const { documentId, knowledgeType, createdAt, vector } = entry
  const refuse = (reason: string): never => {
    const hint = 'The index keeps what it had of this document.'
    throw new PortError('invalid-argument', { operation: 'replace entry', subject: documentId, reason, hint })
  }
  if (documentId === '') refuse('the entry has no document id')
  if (!knowledgeTypes.includes(knowledgeType)) refuse(`its type ${knowledgeType} is not configured`)
  if (!Number.isFinite(createdAt)) refuse('its time of creation is no number')
  if (vector !== undefined) checkComparable(vector, { dimension, operation: 'replace entry', subject: documentId })
}

/** @throws PortError invalid-argument for a vector that has no cosine with those of the index */
export function checkComparable(
  vector: Float32Array,
  rule: { readonly dimension: number; readonly operation: string; readonly subject: string }
): void {
  const { dimension, operation, subject } = rule
  if (isComparable(vector, dimension)) return
  throw new PortError('invalid-argument', {
    operation,
    subject,
    reason: `its vector has not ${dimension} finite numbers, or only zeros`,
    hint: 'Embed with the embedder that the index was built with.'
  })
}
