import type { StructuredEntry, StructuredHit } from '@oncall-agent/retrieval'
import { pairKey } from './keys.ts'
import { wordsOf } from './token-stream.ts'
import { unitVector } from './unit-vector.ts'

/** What of a document comes back with a hit: all but the words and the vector, which are not kept. */
export interface StoredDocument {
  readonly tenant_id: string
  readonly knowledge_base_id: string
  readonly document_id: string
  readonly knowledge_type: string
  readonly project?: string
  readonly equipment?: string
  readonly error_codes: readonly string[]
  readonly title: string
  readonly body: string
  readonly created_at: number
  readonly content_hash: string
  readonly has_vector: boolean
}

export const SHOWN_FIELDS: readonly (keyof StoredDocument)[] = [
  'tenant_id',
  'knowledge_base_id',
  'document_id',
  'knowledge_type',
  'project',
  'equipment',
  'error_codes',
  'title',
  'body',
  'created_at',
  'content_hash'
]

export const LISTED_FIELDS: readonly (keyof StoredDocument)[] = [
  'document_id',
  'knowledge_type',
  'content_hash',
  'has_vector'
]

/** An entry as an index takes it. The vector gets norm 1: a longer one could overflow the engine's single precision. */
export function storedOf(entry: StructuredEntry): StoredDocument & Readonly<Record<string, unknown>> {
  const { project, equipment, vector } = entry
  return {
    pair: pairKey(entry),
    tenant_id: entry.tenantId,
    knowledge_base_id: entry.knowledgeBaseId,
    document_id: entry.documentId,
    knowledge_type: entry.knowledgeType,
    ...(project === undefined ? {} : { project }),
    ...(equipment === undefined ? {} : { equipment }),
    error_codes: [...new Set(entry.errorCodes)],
    title: entry.title,
    body: entry.body,
    title_words: wordsOf(entry.title),
    body_words: wordsOf(entry.body),
    created_at: entry.createdAt,
    content_hash: entry.contentHash,
    has_vector: vector !== undefined,
    ...(vector === undefined ? {} : { vector: unitVector(vector) })
  }
}

export function documentOf(stored: StoredDocument): StructuredHit['document'] {
  const { project, equipment } = stored
  return {
    documentId: stored.document_id,
    tenantId: stored.tenant_id,
    knowledgeBaseId: stored.knowledge_base_id,
    knowledgeType: stored.knowledge_type,
    ...(project === undefined ? {} : { project }),
    ...(equipment === undefined ? {} : { equipment }),
    errorCodes: stored.error_codes,
    title: stored.title,
    body: stored.body,
    createdAt: stored.created_at,
    contentHash: stored.content_hash
  }
}
