/** Kinds of this room's jobs; the subject is an index task, a document and a knowledge base. */
export const INDEX_DOCUMENT = 'index-document'
export const PURGE_DOCUMENT = 'purge-document'
export const PURGE_KNOWLEDGE_BASE = 'purge-knowledge-base'
