import type { Migration } from './migration.ts'

/** Documents of uploads with their versions, index tasks, and the durable jobs behind them. */
export const documentsAndJobs: Migration = {
  version: 3,
  name: 'documents, index tasks and jobs',
  sql: `
    CREATE TABLE document (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      knowledge_base_id TEXT NOT NULL REFERENCES knowledge_base (id),
      file_name TEXT NOT NULL,
      title TEXT,
      name_key TEXT NOT NULL,
      media_type TEXT NOT NULL,
      format TEXT NOT NULL,
      byte_size INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      version INTEGER NOT NULL,
      indexed_version INTEGER,
      status TEXT NOT NULL CHECK (status IN ('active', 'deleted')),
      index_status TEXT NOT NULL CHECK (index_status IN ('pending', 'indexing', 'indexed', 'failed')),
      failure_json TEXT,
      warnings_json TEXT NOT NULL DEFAULT '[]',
      attributes_json TEXT NOT NULL,
      metadata_json TEXT NOT NULL DEFAULT '{}',
      chunk_count INTEGER NOT NULL DEFAULT 0,
      uploaded_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      deleted_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX document_bytes ON document (knowledge_base_id, sha256) WHERE deleted_at IS NULL;
    CREATE INDEX document_list ON document (knowledge_base_id, sequence) WHERE deleted_at IS NULL;
    CREATE INDEX document_state ON document (knowledge_base_id, index_status, sequence) WHERE deleted_at IS NULL;
    CREATE INDEX document_deleted ON document (deleted_at) WHERE deleted_at IS NOT NULL;
    CREATE TABLE document_version (
      document_id TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      file_name TEXT NOT NULL,
      media_type TEXT NOT NULL,
      format TEXT NOT NULL,
      byte_size INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      form_json TEXT NOT NULL,
      title TEXT,
      text TEXT,
      text_hash TEXT,
      uploaded_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (document_id, version)
    ) STRICT;

    CREATE TABLE index_task (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      knowledge_base_id TEXT NOT NULL,
      document_id TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      document_version INTEGER NOT NULL,
      file_name TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'cancelled')),
      reason_json TEXT,
      attempt INTEGER NOT NULL DEFAULT 0,
      chunks_embedded INTEGER NOT NULL DEFAULT 0,
      chunks_total INTEGER,
      cancel_requested INTEGER NOT NULL DEFAULT 0,
      retry_of_task_id TEXT REFERENCES index_task (id) ON DELETE SET NULL,
      requested_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      finished_at INTEGER
    ) STRICT;
    CREATE INDEX index_task_document ON index_task (document_id, sequence);
    CREATE INDEX index_task_base ON index_task (knowledge_base_id, sequence);
    CREATE UNIQUE INDEX index_task_open ON index_task (document_id) WHERE status IN ('pending', 'running');

    CREATE TABLE job (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      subject TEXT NOT NULL,
      payload_json TEXT NOT NULL DEFAULT '{}',
      status TEXT NOT NULL CHECK (status IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
      attempts INTEGER NOT NULL DEFAULT 0,
      max_attempts INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      lease_owner TEXT,
      lease_expires_at INTEGER,
      cancel_requested INTEGER NOT NULL DEFAULT 0,
      failure_json TEXT,
      created_at INTEGER NOT NULL,
      finished_at INTEGER
    ) STRICT;
    CREATE INDEX job_due ON job (status, due_at);
    CREATE INDEX job_tenant ON job (status, tenant_id, sequence);
    CREATE UNIQUE INDEX job_open ON job (kind, subject) WHERE status IN ('waiting', 'running');

    CREATE TABLE idempotent_answer (
      user_id TEXT NOT NULL,
      key TEXT NOT NULL,
      request_hash TEXT NOT NULL,
      status INTEGER,
      body_json TEXT,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (user_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotent_answer_age ON idempotent_answer (created_at);
  `
}
