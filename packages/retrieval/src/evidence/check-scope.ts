import { PortError } from '../ports/index.ts'
import type { Metadata, Scope } from '../ports/index.ts'
import { matchesMetadata } from './match-metadata.ts'

/** What helps when an index cannot be trusted; an index is made anew from the documents' own files. */
const REBUILD_HINT =
  'delete `index.db`, `index.db-wal` and `index.db-shm` in the data folder (or use another --data folder) and run ' +
  '`oncall index` again.'

/** What decides whether a caller may be shown a chunk. */
export interface Scoped {
  readonly tenantId: string
  readonly knowledgeBaseId: string
  readonly documentId: string
  /** As a filter sees it: the document's overlaid by the chunk's. */
  readonly metadata: Metadata
}

export type ScopeViolation = 'tenant' | 'knowledge base' | 'document' | 'metadata'

/** The first part of the scope that a hit falls out of, or null when it is inside. */
export function scopeViolation(hit: Scoped, scope: Scope): ScopeViolation | null {
  const tenantPairs = scope.pairs.filter((pair) => pair.tenantId === hit.tenantId)
  if (tenantPairs.length === 0) return 'tenant'
  if (!tenantPairs.some((pair) => pair.knowledgeBaseId === hit.knowledgeBaseId)) return 'knowledge base'
  if (scope.documentIds !== undefined && !scope.documentIds.includes(hit.documentId)) return 'document'
  if (scope.metadata !== undefined && !matchesMetadata(hit.metadata, scope.metadata)) return 'metadata'
  return null
}

/**
 * Defence in depth behind the engines' own scoping: a hit outside the scope means that an engine is at fault,
 * and nothing else that it said can be trusted either. The message names no id of the other side.
 * @throws PortError `corrupt`
 */
export function checkScope(hit: Scoped, scope: Scope): void {
  const violation = scopeViolation(hit, scope)
  if (violation === null) return
  throw new PortError('corrupt', {
    operation: 'check scope',
    subject: violation,
    reason: 'the index returned a chunk outside the scope that was asked for',
    hint: `Run \`oncall doctor\`, then ${REBUILD_HINT}`
  })
}
