import type { StructuredEntry } from '../../ports/index.ts'
import { compareCodePoints } from './compare-code-points.ts'

type Placed = Pick<StructuredEntry, 'createdAt' | 'documentId' | 'tenantId' | 'knowledgeBaseId'>

/** Corpus order: creation time, document id; documents of one id in several knowledge bases by tenant and knowledge base. */
export function compareInCorpusOrder(left: Placed, right: Placed): number {
  return (
    left.createdAt - right.createdAt ||
    compareCodePoints(left.documentId, right.documentId) ||
    compareCodePoints(left.tenantId, right.tenantId) ||
    compareCodePoints(left.knowledgeBaseId, right.knowledgeBaseId)
  )
}
