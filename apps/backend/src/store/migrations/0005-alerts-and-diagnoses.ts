import type { Migration } from './migration.ts'

/** Alerts by identity, the incidents they belong to, diagnoses with their immutable evidence, and reports. */
export const alertsAndDiagnoses: Migration = {
  version: 5,
  name: 'alerts, incidents, diagnoses, evidence and reports',
  sql: `
    CREATE TABLE incident (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      group_key TEXT NOT NULL,
      title TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('open', 'resolved', 'closed')),
      opened_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      resolved_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX incident_open ON incident (tenant_id, group_key) WHERE status = 'open';
    CREATE TABLE alert (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      source TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      starts_at INTEGER NOT NULL,
      ends_at INTEGER,
      status TEXT NOT NULL CHECK (status IN ('firing', 'resolved')),
      labels_json TEXT NOT NULL,
      annotations_json TEXT NOT NULL,
      generator_url TEXT NOT NULL DEFAULT '',
      received INTEGER NOT NULL DEFAULT 1,
      incident_id TEXT REFERENCES incident (id) ON DELETE SET NULL,
      first_received_at INTEGER NOT NULL,
      last_received_at INTEGER NOT NULL,
      UNIQUE (tenant_id, source, fingerprint, starts_at)
    ) STRICT;
    CREATE INDEX alert_incident ON alert (incident_id);
    CREATE TABLE diagnosis (
      id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL,
      incident_id TEXT NOT NULL REFERENCES incident (id) ON DELETE CASCADE,
      status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'cancelled')),
      reason_json TEXT,
      started_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      finished_at INTEGER
    ) STRICT;
    CREATE INDEX diagnosis_incident ON diagnosis (incident_id, sequence);
    CREATE TABLE evidence (
      id TEXT PRIMARY KEY,
      diagnosis_id TEXT NOT NULL REFERENCES diagnosis (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      tool TEXT NOT NULL,
      arguments_json TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('ok', 'failed')),
      result TEXT NOT NULL,
      result_hash TEXT NOT NULL,
      truncated INTEGER NOT NULL,
      collected_at INTEGER NOT NULL,
      took_ms INTEGER NOT NULL,
      UNIQUE (diagnosis_id, position)
    ) STRICT;
    CREATE TRIGGER evidence_is_immutable BEFORE UPDATE ON evidence
      BEGIN SELECT RAISE(ABORT, 'evidence is immutable'); END;
    CREATE TABLE report (
      diagnosis_id TEXT PRIMARY KEY REFERENCES diagnosis (id) ON DELETE CASCADE,
      conclusion TEXT NOT NULL CHECK (conclusion IN ('conclusive', 'inconclusive')),
      body_json TEXT NOT NULL,
      dropped_json TEXT NOT NULL DEFAULT '[]',
      created_at INTEGER NOT NULL
    ) STRICT;
  `
}
