import type { Migration } from './migration.ts'

/** Whose turn it is among tenants with equally many running jobs; ended jobs are forgotten, turns are not. */
export const turnsOfTenants: Migration = {
  version: 6,
  name: 'turns of tenants',
  sql: `
    CREATE TABLE job_turn (
      tenant_id TEXT PRIMARY KEY,
      turn INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `
}
