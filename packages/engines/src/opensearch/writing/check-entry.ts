import { isComparable, PortError } from '@oncall-agent/retrieval'
import type { StructuredCapabilities, StructuredEntry } from '@oncall-agent/retrieval'

/** UTF-8 bytes of a value that Lucene keeps as one term. */
const LONGEST_TERM = 32_766

type Limits = Pick<StructuredCapabilities, 'knowledgeTypes' | 'dimension'>

/** @throws PortError `invalid-argument` for an entry that no index could hold as it is */
export function checkEntry(entry: StructuredEntry, { knowledgeTypes, dimension }: Limits): void {
  const { documentId, knowledgeType, project, equipment, vector } = entry
  const operation = 'replace document'
  if (!knowledgeTypes.includes(knowledgeType)) {
    throw refusal(operation, documentId, `its type ${knowledgeType} is not configured`)
  }
  if (vector !== undefined) checkVector(vector, dimension, operation)
  const exact = { documentId, tenantId: entry.tenantId, knowledgeBaseId: entry.knowledgeBaseId, project, equipment }
  for (const [name, value] of Object.entries(exact)) if (value !== undefined) checkExactValue(name, value, documentId)
  for (const code of entry.errorCodes) checkExactValue('error code', code, documentId)
}

/** @throws PortError `invalid-argument` for a vector of another width, not finite, or of norm 0 */
export function checkVector(vector: Float32Array, dimension: number, operation: string): void {
  if (isComparable(vector, dimension)) return
  throw refusal(operation, 'vector', `must have ${dimension} finite numbers, not all of them 0`)
}

export function refusal(operation: string, subject: string, reason: string): PortError {
  return new PortError('invalid-argument', { operation, subject, reason })
}

function checkExactValue(name: string, value: string, documentId: string): void {
  if (!value.isWellFormed()) throw refusal('replace document', documentId, `its ${name} has half a character`)
  if (Buffer.byteLength(value) <= LONGEST_TERM) return
  throw refusal('replace document', documentId, `its ${name} is longer than ${LONGEST_TERM} bytes`)
}
