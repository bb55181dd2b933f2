import type { DatabaseSync } from 'node:sqlite'
import type { ChunkToPublish, EmbedderFingerprint, IndexedDocument, ReadablePair } from '@oncall-agent/retrieval'
import { SlotDirectory } from '../storage/slot-directory.ts'
import { DocumentRows } from './document-rows.ts'
import { KnowledgeBaseEditor, SlotStatements } from './knowledge-base-editor.ts'
import { prepareChunks } from './prepare-chunks.ts'
import type { PreparedChunks } from './prepare-chunks.ts'
import type { SlotBatch } from './slot-batch.ts'
import { writeTransaction } from './write-transaction.ts'
import type { WriteTransaction } from './write-transaction.ts'

/** Writes whole documents, each in one transaction: text, postings, totals, vectors and token vectors together. */
export class DocumentStore {
  readonly statements: SlotStatements
  readonly directory: SlotDirectory
  readonly rows: DocumentRows
  readonly transaction: WriteTransaction
  readonly dimension: number

  constructor(database: DatabaseSync, fingerprint: EmbedderFingerprint) {
    this.statements = new SlotStatements(database)
    this.directory = new SlotDirectory(database)
    this.rows = new DocumentRows(database)
    this.transaction = writeTransaction(database, fingerprint)
    this.dimension = fingerprint.dimension
  }

  /** @throws PortError invalid-argument before anything is locked; locked, disk-full, corrupt, model-mismatch */
  replace(document: IndexedDocument, chunks: readonly ChunkToPublish[]): void {
    // Tokens and int8 rows are most of the work; the write lock is taken after it.
    const prepared = prepareChunks(document, chunks, this.dimension)
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
      return true
    })
  }

  /** True when it was there. */
  delete(pair: ReadablePair, documentId: string): boolean {
    return this.transaction({ operation: 'delete document', subject: documentId }, 'document', (generation) => {
      const kb = this.rows.findKnowledgeBase(pair)
      const row = kb === undefined ? undefined : this.rows.find(kb.id, documentId)
      if (kb === undefined || row === undefined) return false
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
