import type { StructuredHit } from '@oncall-agent/retrieval'

/** Creation time, document id; documents of one id in several knowledge bases by tenant and knowledge base. */
export const CORPUS_ORDER: readonly object[] = ['created_at', 'document_id', 'tenant_id', 'knowledge_base_id'].map(
  (field) => ({ [field]: 'asc' })
)

/** The same order for hits at hand. The engine compares UTF-8 bytes, which is the order of code points. */
export function byCorpusOrder({ document: left }: StructuredHit, { document: right }: StructuredHit): number {
  return (
    left.createdAt - right.createdAt ||
    compareBytes(left.documentId, right.documentId) ||
    compareBytes(left.tenantId, right.tenantId) ||
    compareBytes(left.knowledgeBaseId, right.knowledgeBaseId)
  )
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
