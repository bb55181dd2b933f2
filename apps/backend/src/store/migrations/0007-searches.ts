import type { Migration } from './migration.ts'

/**
 * Structured searches and what people said of their documents. `kept_until` moves on when one is judged, so that what is
 * to be forgotten is found by one index. `document_leaving` finds what is deleted and may still be in an index.
 */
export const searches: Migration = {
  version: 7,
  name: 'searches and feedback',
  sql: `
    CREATE TABLE search_record (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      kept_until INTEGER NOT NULL,
      status TEXT NOT NULL
        CHECK (status IN ('strict_hit', 'too_many', 'loose_hit', 'vector_only', 'no_hit')),
      request_json TEXT NOT NULL,
      scope_json TEXT NOT NULL,
      settings_json TEXT NOT NULL,
      shown_json TEXT NOT NULL
    ) STRICT;
    CREATE INDEX search_record_kept_until ON search_record (kept_until);
    CREATE INDEX search_record_user ON search_record (user_id);

    CREATE TABLE search_feedback (
      search_id TEXT NOT NULL REFERENCES search_record (id) ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      document_id TEXT NOT NULL,
      verdict TEXT NOT NULL CHECK (verdict IN ('up', 'down')),
      note TEXT,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (search_id, user_id, document_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX search_feedback_user ON search_feedback (user_id);

    CREATE INDEX document_leaving ON document (knowledge_base_id) WHERE deleted_at IS NOT NULL;
  `
}
