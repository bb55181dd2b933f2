import type { Migration } from './migration.ts'

/** The audit of tools is believed because nothing rewrites it. */
export const immutableToolCalls: Migration = {
  version: 9,
  name: 'calls of tools are never changed',
  sql: `
    CREATE TRIGGER tool_call_is_immutable BEFORE UPDATE ON tool_call
      BEGIN SELECT RAISE(ABORT, 'calls of tools are immutable'); END;
  `
}
