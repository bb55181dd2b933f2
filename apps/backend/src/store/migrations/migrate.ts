import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '@oncall-agent/api-contracts'
import { knowledgeBasesAndRuns } from './0001-knowledge-bases-and-runs.ts'
import { peopleAndSharing } from './0002-people-and-sharing.ts'
import { documentsAndJobs } from './0003-documents-and-jobs.ts'
import { conversationsAndTools } from './0004-conversations-and-tools.ts'
import { alertsAndDiagnoses } from './0005-alerts-and-diagnoses.ts'
import { turnsOfTenants } from './0006-turns-of-tenants.ts'
import { searches } from './0007-searches.ts'
import { answersWithSources } from './0008-answers-with-sources.ts'
import { immutableToolCalls } from './0009-immutable-tool-calls.ts'
import { answersThatAreWritten } from './0010-answers-that-are-written.ts'
import type { Migration } from './migration.ts'

const migrations: readonly Migration[] = [
  knowledgeBasesAndRuns,
  peopleAndSharing,
  documentsAndJobs,
  conversationsAndTools,
  alertsAndDiagnoses,
  turnsOfTenants,
  searches,
  answersWithSources,
  immutableToolCalls,
  answersThatAreWritten
]

export const SCHEMA_VERSION = migrations.length

/**
 * Brings the schema to this release's version, each step in a transaction with its version number.
 * Several processes may do so at once: the one that gets the write lock migrates, the others find it done.
 * @throws AppError DATA_FORMAT_NEWER when a later release wrote the file
 */
export function migrate(connection: DatabaseSync, file: string): void {
  const found = versionOf(connection)
  if (found > SCHEMA_VERSION) throw newerSchema(found, file)
  for (const step of migrations) applyOnce(connection, step)
}

function applyOnce(connection: DatabaseSync, step: Migration): void {
  if (versionOf(connection) >= step.version) return
  connection.exec('BEGIN IMMEDIATE')
  try {
    // Read again: another process may have migrated while this one waited for the lock.
    if (versionOf(connection) < step.version) {
      connection.exec(step.sql)
      connection.exec(`PRAGMA user_version = ${step.version}`)
    }
    connection.exec('COMMIT')
  } catch (cause) {
    if (connection.isTransaction) connection.exec('ROLLBACK')
    throw cause
  }
}

function versionOf(connection: DatabaseSync): number {
  return Number(connection.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}

function newerSchema(found: number, file: string): AppError {
  return new AppError('DATA_FORMAT_NEWER', {
    operation: 'open business store',
    subject: file,
    message: `The data folder was written by a newer version (facts ${found}, this version knows up to ${SCHEMA_VERSION}).`,
    hint: 'Use the newer version, or another --data folder.'
  })
}
