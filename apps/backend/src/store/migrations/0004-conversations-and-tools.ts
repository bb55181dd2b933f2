import type { Migration } from './migration.ts'

/** What the chat agent keeps: conversations, prompts and skills with their versions, tool servers and every call. */
export const conversationsAndTools: Migration = {
  version: 4,
  name: 'conversations, prompts, skills and tools',
  sql: `
    CREATE TABLE conversation (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      title TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      deleted_at INTEGER
    ) STRICT;
    CREATE INDEX conversation_user ON conversation (user_id, updated_at) WHERE deleted_at IS NULL;
    CREATE TABLE message (
      id TEXT PRIMARY KEY,
      conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
      status TEXT NOT NULL CHECK (status IN ('streaming', 'completed', 'partial', 'failed')),
      content TEXT NOT NULL,
      citations_json TEXT NOT NULL DEFAULT '[]',
      failure_json TEXT,
      created_at INTEGER NOT NULL,
      finished_at INTEGER,
      UNIQUE (conversation_id, position)
    ) STRICT;
    CREATE TABLE prompt (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('prompt', 'skill')),
      name TEXT NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      deleted_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX prompt_name ON prompt (tenant_id, kind, name) WHERE deleted_at IS NULL;
    CREATE TABLE prompt_version (
      prompt_id TEXT NOT NULL REFERENCES prompt (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      description TEXT NOT NULL,
      content TEXT NOT NULL,
      created_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (prompt_id, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE feedback (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      run_id TEXT,
      message_id TEXT,
      target TEXT NOT NULL CHECK (target IN ('answer', 'citation', 'search')),
      target_id TEXT NOT NULL,
      verdict INTEGER NOT NULL CHECK (verdict IN (-1, 1)),
      comment TEXT NOT NULL DEFAULT '',
      created_at INTEGER NOT NULL,
      UNIQUE (user_id, target, target_id, run_id, message_id)
    ) STRICT;
    CREATE INDEX feedback_tenant ON feedback (tenant_id, created_at);
    CREATE TABLE mcp_server (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      name TEXT NOT NULL,
      transport TEXT NOT NULL CHECK (transport IN ('stdio', 'http')),
      settings_json TEXT NOT NULL,
      secrets_encrypted TEXT,
      allowed_tools_json TEXT NOT NULL DEFAULT '[]',
      enabled INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (tenant_id, name)
    ) STRICT;
    CREATE TABLE tool_call (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      conversation_id TEXT,
      diagnosis_id TEXT,
      tool TEXT NOT NULL,
      arguments_json TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('ok', 'failed', 'refused', 'cancelled')),
      failure_json TEXT,
      result_hash TEXT,
      result_bytes INTEGER,
      started_at INTEGER NOT NULL,
      took_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tool_call_tenant ON tool_call (tenant_id, sequence);
  `
}
