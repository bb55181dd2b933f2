import type { Migration } from './migration.ts'

export const knowledgeBasesAndRuns: Migration = {
  version: 1,
  name: 'knowledge bases and retrieval runs',
  sql: `
    CREATE TABLE knowledge_base (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (tenant_id, name)
    ) STRICT;

    CREATE TABLE retrieval_run (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      query TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'empty', 'failed')),
      record_json TEXT NOT NULL
    ) STRICT;

    CREATE INDEX retrieval_run_created_at ON retrieval_run (created_at);
  `
}
