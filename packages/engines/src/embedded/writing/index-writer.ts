import type { ChunkToPublish, IndexedDocument, ReadablePair, StructuredEntry } from '@oncall-agent/retrieval'
import { openDatabase } from '../storage/open-database.ts'
import type { ThreadSettings } from '../threads/messages.ts'
import { Compaction, STEP_MS } from './compaction.ts'
import { DocumentStore } from './document-store.ts'
import { EntryWriter } from './entry-writer.ts'

/** Page cache of the writer's connection: what one transaction changes should fit. */
const CACHE_KIB = 32 * 1024

/** All writes of the index, on one connection. */
export interface IndexWriter {
  /** Without `entry` the document has none afterwards. */
  replace(document: IndexedDocument, chunks: readonly ChunkToPublish[], entry?: StructuredEntry): void
  delete(pair: ReadablePair, documentId: string): boolean
  /** Entries alone, beside their documents. */
  readonly entries: Pick<EntryWriter, 'replace' | 'delete' | 'rebuild'>
  /** One bounded step of compaction; false when there is nothing to do, or nothing that cannot wait for idle times. */
  compactStep(urgency: 'idle' | 'busy'): boolean
  /** Copies the log back into the file as far as no reader needs it; waits for nobody. */
  checkpoint(): void
  close(): void
}

/**
 * @param stepMs how long a step of compaction goes on taking buckets, at least one
 * @throws PortError as `openDatabase` does
 */
export function openWriter(settings: ThreadSettings, stepMs = STEP_MS): IndexWriter {
  const database = openDatabase({ ...settings, cacheKib: CACHE_KIB })
  const store = new DocumentStore(database, settings.fingerprint)
  const compaction = new Compaction(database, store, stepMs)
  return {
    replace: (document, chunks, entry) => store.replace(document, chunks, entry),
    delete: (pair, documentId) => store.delete(pair, documentId),
    entries: new EntryWriter(database, store),
    compactStep: (urgency) => compaction.step(urgency),
    checkpoint: () => database.exec('PRAGMA wal_checkpoint(PASSIVE)'),
    // The last connection to close copies the log back and deletes it.
    close: () => database.close()
  }
}
