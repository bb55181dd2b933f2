import { createHash } from 'node:crypto'
import type { ReadablePair } from '@oncall-agent/retrieval'

/** The id of a document in its index: as long whatever the ids are made of, and one for each pair and document. */
export function documentKey(pair: ReadablePair, documentId: string): string {
  return digestOf([pair.tenantId, pair.knowledgeBaseId, documentId])
}

/** The term that a scope is filtered by. */
export function pairKey({ tenantId, knowledgeBaseId }: ReadablePair): string {
  return digestOf([tenantId, knowledgeBaseId])
}

/** JSON keeps the parts apart, whatever characters they have. */
function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
