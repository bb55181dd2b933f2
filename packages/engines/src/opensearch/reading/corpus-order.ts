/** The order of `compareInCorpusOrder`, as an engine is asked for it: it compares UTF-8 bytes, which is by code points. */
export const CORPUS_ORDER: readonly object[] = ['created_at', 'document_id', 'tenant_id', 'knowledge_base_id'].map(
  (field) => ({ [field]: 'asc' })
)
