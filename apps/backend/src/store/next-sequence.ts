import { type RawBuilder, sql } from 'kysely'
import type { BusinessSchema } from './schema.ts'

/** The number of a table's next row. Safe because every write holds the file's only write lock. */
export function nextSequence(table: keyof BusinessSchema): RawBuilder<number> {
  return sql<number>`(SELECT coalesce(max(sequence), 0) + 1 FROM ${sql.table(table)})`
}
