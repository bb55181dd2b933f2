import type { Migration } from './migration.ts'

/** `knowledge_base` is made again, because the name of a deleted one must be free and SQLite drops no constraint. */
export const peopleAndSharing: Migration = {
  version: 2,
  name: 'people and sharing',
  sql: `
    CREATE TABLE user (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      username TEXT NOT NULL COLLATE NOCASE UNIQUE,
      password_hash TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('admin', 'member')),
      created_at INTEGER NOT NULL,
      disabled_at INTEGER
    ) STRICT;
    CREATE TABLE session (
      id TEXT PRIMARY KEY,
      token_hash TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX session_user ON session (user_id);
    CREATE INDEX session_expires_at ON session (expires_at);
    CREATE TABLE api_key (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      scopes_json TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      revoked_at INTEGER
    ) STRICT;
    CREATE INDEX api_key_user ON api_key (user_id, sequence);

    CREATE TABLE knowledge_base_2 (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL DEFAULT '',
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      deleted_at INTEGER
    ) STRICT;
    INSERT INTO knowledge_base_2 (id, tenant_id, name, created_at, updated_at)
      SELECT id, tenant_id, name, created_at, created_at FROM knowledge_base;
    DROP TABLE knowledge_base;
    ALTER TABLE knowledge_base_2 RENAME TO knowledge_base;
    CREATE UNIQUE INDEX knowledge_base_name ON knowledge_base (tenant_id, name) WHERE deleted_at IS NULL;
    CREATE TABLE knowledge_base_reader (
      knowledge_base_id TEXT NOT NULL REFERENCES knowledge_base (id) ON DELETE CASCADE,
      user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      granted_at INTEGER NOT NULL,
      PRIMARY KEY (knowledge_base_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX knowledge_base_reader_user ON knowledge_base_reader (user_id);
  `
}
