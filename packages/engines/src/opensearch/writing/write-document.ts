import { PortError } from '@oncall-agent/retrieval'
import type { ReadablePair, StructuredEntry } from '@oncall-agent/retrieval'
import { EngineFault, isRecord, refusalOf } from '../connection/index.ts'
import type { EngineConnection } from '../connection/index.ts'
import { aliasOf, documentKey } from '../indices/index.ts'
import { deleteOperation, indexOperation } from './bulk-operation.ts'
import type { BulkOperation } from './bulk-operation.ts'
import { writeBulk } from './write-bulk.ts'
import type { BulkOutcome } from './write-bulk.ts'
import type { WriteClock } from './write-clock.ts'

export interface WriteParts {
  readonly connection: EngineConnection
  readonly clock: WriteClock
  /** Of every configured type. */
  readonly aliases: readonly string[]
  readonly checkIndices: (indices: readonly string[]) => Promise<void>
}

/** Times that a write is sent with a higher version because another writer's is higher still. */
const TRIES = 5

/**
 * Writes an entry under its type and deletes it from every other, in one request. They are several indices: a reader may
 * look between the two while a document changes its type.
 */
export async function writeEntry(parts: WriteParts, entry: StructuredEntry): Promise<void> {
  const own = aliasOf(entry.knowledgeType)
  const key = documentKey(entry, entry.documentId)
  await writeNewest(parts, { operation: 'replace document', key }, (version) => [
    indexOperation(entry, { target: own, version }),
    // Also where it is not now: an attempt that was given up may still be on its way there.
    ...parts.aliases.filter((alias) => alias !== own).map((target) => deleteOperation(key, { target, version }))
  ])
}

/** True when it was there. */
export async function deleteEntry(parts: WriteParts, pair: ReadablePair, documentId: string): Promise<boolean> {
  const key = documentKey(pair, documentId)
  // Of the reading before: a delete that was sent twice says the second time that there is nothing.
  return writeNewest(parts, { operation: 'delete document', key }, (version) =>
    parts.aliases.map((target) => deleteOperation(key, { target, version }))
  )
}

interface WrittenDocument {
  readonly operation: string
  readonly key: string
}

/**
 * Whoever writes last wins, whatever the clocks say; only attempts that nobody waits for any more may lose.
 * @returns whether the document was there
 */
async function writeNewest(
  parts: WriteParts,
  written: WrittenDocument,
  operationsAt: (version: number) => readonly BulkOperation[]
): Promise<boolean> {
  const { connection, clock, checkIndices } = parts
  const { operation } = written
  const found = await readStored(parts, written)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const outcomes = await writeBulk(connection, operationsAt(clock.next()), { operation, isVisible: true })
    const conflicts = outcomes.filter((outcome) => outcome.isConflict)
    if (conflicts.length === 0) {
      await checkIndices(outcomes.map(indexOf))
      return found
    }
    for (const { version } of conflicts) clock.pass(version)
  }
  throw new PortError('unavailable', {
    operation,
    subject: connection.hosts,
    reason: 'another process writes the same document all the time',
    hint: 'Check that no other installation writes to the same search engine.'
  })
}

/**
 * Whether a document is there, under any type. Also makes sure that every alias is: a delete with a version would make an
 * index where one is missing, even on demand of an alias.
 */
async function readStored({ connection, aliases }: WriteParts, { operation, key }: WrittenDocument): Promise<boolean> {
  const { body } = await connection.call({
    operation,
    method: 'POST',
    path: '/_mget',
    body: { docs: aliases.map((alias) => ({ _index: alias, _id: key, _source: false })) },
    faultOf: ({ body: answer }) => storedFault(answer, aliases.length)
  })
  return (body as StoredAnswer).docs.some(({ found }) => found === true)
}

interface StoredAnswer {
  readonly docs: readonly { readonly found?: boolean; readonly error?: unknown }[]
}

function storedFault(answer: unknown, documents: number): EngineFault | undefined {
  const docs = isRecord(answer) ? answer['docs'] : undefined
  if (!Array.isArray(docs) || docs.length !== documents || !docs.every(isRecord)) {
    return new EngineFault('unreadable', { reason: 'the answer about a document is no such answer' })
  }
  const failed = docs.find((document) => document['error'] !== undefined)
  if (failed === undefined) return undefined
  const fault = refusalOf(0, failed)
  // A document's error has no status of its own.
  return refusalOf(fault.types.includes('index_not_found_exception') ? 404 : 503, failed)
}

function indexOf(outcome: BulkOutcome): string {
  return outcome.isConflict ? '' : outcome.index
}
