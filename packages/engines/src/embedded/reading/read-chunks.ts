import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { matchesMetadata } from '@oncall-agent/retrieval'
import type { ChunkRequest, IndexedDocument, Metadata, StoredChunk } from '@oncall-agent/retrieval'
import { parseChunkId } from '../storage/chunk-id.ts'
import { chunkKey } from '../storage/keys.ts'
import type { SlotSpace } from '../storage/slot-space.ts'
import { documentOf, DOCUMENT_COLUMNS } from './documents.ts'
import type { StopCheck } from './read-transaction.ts'
import { floatsOf } from './vector-reader.ts'

interface FoundDocument {
  readonly row: number
  readonly kb: number
  readonly document: IndexedDocument
}

/** Reads chunks by id, in the order asked, leaving out what is gone or outside the scope. */
export class ChunkTable {
  readonly #documents: StatementSync
  readonly #chunk: StatementSync
  readonly #vector: StatementSync
  readonly #tokenVectors: StatementSync

  constructor(database: DatabaseSync) {
    this.#documents = database.prepare(
      `SELECT ${DOCUMENT_COLUMNS} FROM document d JOIN knowledge_base k ON k.id = d.kb WHERE d.document_id = ?`
    )
    this.#chunk = database.prepare(
      `SELECT start, end, token_count AS tokenCount, heading_path AS headingPath, metadata, content
       FROM chunk WHERE key = ?`
    )
    this.#vector = database.prepare('SELECT data FROM vector WHERE key = ?')
    this.#tokenVectors = database.prepare('SELECT data FROM token_vectors WHERE key = ?')
  }

  /** @param readable the knowledge bases of the scope's pairs; nothing else of the index can be read by id */
  read(request: ChunkRequest, readable: readonly SlotSpace[], stop: StopCheck): StoredChunk[] {
    // The chunks of one answer are often of few documents, so each is looked up once.
    const knowledgeBases = new Set(readable.map((kb) => kb.id))
    const documents = new Map<string, FoundDocument[]>()
    return request.chunkIds.flatMap((id) => {
      stop()
      const name = parseChunkId(id)
      if (name === undefined) return []
      let found = documents.get(name.documentId)
      if (found === undefined) documents.set(name.documentId, (found = this.#find(name.documentId, knowledgeBases)))
      if (request.scope.documentIds?.includes(name.documentId) === false) return []
      for (const document of found) {
        const chunk = this.#read(document, name.sequence, request)
        if (chunk !== undefined) return [{ chunkId: id, ...chunk }]
      }
      return []
    })
  }

  /** The documents of that id in readable knowledge bases; ids are unique in practice, but nothing here relies on it. */
  #find(documentId: string, knowledgeBases: ReadonlySet<number>): FoundDocument[] {
    return this.#documents
      .all(documentId)
      .map((row) => ({ row: Number(row.row), kb: Number(row.kb), document: documentOf(row) }))
      .filter((found) => knowledgeBases.has(found.kb))
  }

  /** Undefined when the chunk is gone or the metadata filter leaves it out. */
  #read(found: FoundDocument, sequence: number, request: ChunkRequest): Omit<StoredChunk, 'chunkId'> | undefined {
    const key = chunkKey(found.row, sequence)
    const row = this.#chunk.get(key)
    if (row === undefined) return undefined
    const metadata = { ...found.document.metadata, ...(JSON.parse(String(row.metadata)) as Metadata) }
    if (request.scope.metadata !== undefined && !matchesMetadata(metadata, request.scope.metadata)) return undefined
    const chunk = {
      document: found.document,
      sequence,
      headingPath: JSON.parse(String(row.headingPath)) as string[],
      content: String(row.content),
      start: Number(row.start),
      end: Number(row.end),
      metadata,
      tokenCount: Number(row.tokenCount)
    }
    const vector = request.withVectors ? blobOf(this.#vector.get(key)) : undefined
    const tokenVectors = request.withTokenVectors ? blobOf(this.#tokenVectors.get(key)) : undefined
    return {
      ...chunk,
      ...(vector === undefined ? {} : { vector: floatsOf(vector) }),
      ...(tokenVectors === undefined ? {} : { tokenVectors })
    }
  }
}

function blobOf(row: Record<string, unknown> | undefined): Uint8Array | undefined {
  return row?.data as Uint8Array | undefined
}
