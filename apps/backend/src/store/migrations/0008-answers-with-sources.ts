import type { Migration } from './migration.ts'

/**
 * What an answer is made of besides its text, and where a call of a tool came from. Feedback on answers and sources takes
 * an empty text where an id is missing: SQLite holds two NULLs for different, and would keep both.
 */
export const answersWithSources: Migration = {
  version: 8,
  name: 'answers with their sources and tools; calls with their origin',
  sql: `
    ALTER TABLE message ADD COLUMN mode TEXT NOT NULL DEFAULT 'agent' CHECK (mode IN ('agent', 'evidence-only'));
    ALTER TABLE message ADD COLUMN retrieval TEXT NOT NULL DEFAULT 'none'
      CHECK (retrieval IN ('none', 'found', 'empty', 'failed'));
    ALTER TABLE message ADD COLUMN tools_json TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE message ADD COLUMN removed_markers INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE message ADD COLUMN knowledge_base_ids_json TEXT;
    CREATE INDEX message_streaming ON message (status) WHERE status = 'streaming';
    ALTER TABLE tool_call ADD COLUMN origin TEXT NOT NULL DEFAULT 'chat' CHECK (origin IN ('chat', 'diagnosis', 'mcp'));
    ALTER TABLE tool_call ADD COLUMN message_id TEXT;
    ALTER TABLE tool_call ADD COLUMN server_id TEXT;
    ALTER TABLE tool_call ADD COLUMN result_excerpt TEXT NOT NULL DEFAULT '';
    CREATE INDEX tool_call_user ON tool_call (user_id, sequence);
    CREATE INDEX tool_call_conversation ON tool_call (conversation_id, sequence) WHERE conversation_id IS NOT NULL;
    ALTER TABLE mcp_server ADD COLUMN timeout_ms INTEGER NOT NULL DEFAULT 30000;
    DROP TABLE feedback;
    CREATE TABLE feedback (
      tenant_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
      chunk_id TEXT NOT NULL DEFAULT '',
      run_id TEXT NOT NULL DEFAULT '',
      verdict TEXT NOT NULL CHECK (verdict IN ('up', 'down')),
      note TEXT,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (user_id, message_id, chunk_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feedback_message ON feedback (message_id);
  `
}
