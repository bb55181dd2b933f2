import type { DatabaseSync } from 'node:sqlite'
import type {
  ChunkToPublish,
  EmbedderFingerprint,
  IndexedDocument,
  ReadablePair,
  StructuredEntry
} from '@oncall-agent/retrieval'
import { SlotDirectory } from '../storage/slot-directory.ts'
import { DocumentRows } from './document-rows.ts'
import { EntryRows } from './entry-rows.ts'
import { EntryStore } from './entry-store.ts'
import { KnowledgeBaseEditor, SlotStatements } from './knowledge-base-editor.ts'
import { prepareChunks } from './prepare-chunks.ts'
import type { PreparedChunks } from './prepare-chunks.ts'
import { prepareEntries } from './prepare-entries.ts'
import type { SlotBatch } from './slot-batch.ts'
import { writeTransaction } from './write-transaction.ts'
import type { WriteTransaction } from './write-transaction.ts'

/** Writes whole documents, each in one transaction: text, postings, totals, vectors, token vectors and entry together. */
export class DocumentStore {
  readonly statements: SlotStatements
  readonly directory: SlotDirectory
  readonly rows: DocumentRows
  readonly entries: EntryStore
  readonly transaction: WriteTransaction
  readonly dimension: number

  constructor(database: DatabaseSync, fingerprint: EmbedderFingerprint) {
    this.statements = new SlotStatements(database)
    this.directory = new SlotDirectory(database)
    this.rows = new DocumentRows(database)
    this.entries = new EntryStore(this, new EntryRows(database))
    this.transaction = writeTransaction(database, fingerprint)
    this.dimension = fingerprint.dimension
  }

  /** @throws PortError invalid-argument before anything is locked; locked, disk-full, corrupt, model-mismatch */
  replace(document: IndexedDocument, chunks: readonly ChunkToPublish[], entry?: StructuredEntry): void {
    // Tokens and int8 rows are most of the work; the write lock is taken after it.
    const prepared = prepareChunks(document, chunks, this.dimension)
    const preparedEntry = entry === undefined ? undefined : prepareEntries([entry], this.dimension)
    const attempt = { operation: 'replace document', subject: document.documentId }
    this.transaction(attempt, 'document', (generation) => {
      const kb = this.rows.makeKnowledgeBase(document)
      const editor = new KnowledgeBaseEditor(this, kb)
      const before = this.rows.find(kb.id, document.documentId)
      if (before !== undefined) {
        editor.killDocument(before)
        this.rows.deleteChunks(before)
      }
      // The document keeps its number, and its new chunks take new slots.
      const row = this.rows.put(kb.id, document, chunks.length)
      for (const chunk of chunks) this.rows.insertChunk(row, chunk)
      editor.append(batchOf(prepared, row))
      editor.flush(generation)
      if (preparedEntry === undefined) this.entries.delete(kb, document.documentId, generation)
      else this.entries.replace(kb, preparedEntry, generation)
      return true
    })
  }

  /** True when it was there. */
  delete(pair: ReadablePair, documentId: string): boolean {
    return this.transaction({ operation: 'delete document', subject: documentId }, 'document', (generation) => {
      const kb = this.rows.findKnowledgeBase(pair)
      if (kb === undefined) return false
      const hadEntry = this.entries.delete(kb, documentId, generation)
      const row = this.rows.find(kb.id, documentId)
      if (row === undefined) return hadEntry
      const editor = new KnowledgeBaseEditor(this, kb)
      editor.killDocument(row)
      editor.flush(generation)
      this.rows.delete(row)
      return true
    })
  }
}

function batchOf(prepared: PreparedChunks, documentRow: number): SlotBatch {
  const { chunks, lengths, terms, quantised } = prepared
  return {
    count: chunks.length,
    lengths,
    documents: new Uint32Array(chunks.length).fill(documentRow),
    sequences: Uint32Array.from(chunks, (chunk) => chunk.sequence),
    terms,
    quantised
  }
}
