import type { Migration } from './migration.ts'

/**
 * What several processes must know of an answer while one of them writes it: that its writer lives, what is asked of the
 * writer, and in which order text, sources and tools came, so that a stream can be taken up anywhere.
 */
export const answersThatAreWritten: Migration = {
  version: 10,
  name: 'answers that are being written: lease, order of events, what is asked of the writer',
  sql: `
    ALTER TABLE message ADD COLUMN lease_until INTEGER;
    ALTER TABLE message ADD COLUMN events_json TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE message ADD COLUMN stop_requested INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX conversation_changed ON conversation (user_id, sequence);
    CREATE TABLE tool_decision (
      message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
      call_id TEXT NOT NULL,
      approved INTEGER NOT NULL,
      decided_at INTEGER NOT NULL,
      PRIMARY KEY (message_id, call_id)
    ) STRICT, WITHOUT ROWID;
  `
}
