import { createHash } from 'node:crypto'
import type { IndexedDocument, StructuredEntry } from '@oncall-agent/retrieval'
import type { PreparedDocument } from '../extract/extracted-document.ts'
import type { EntrySettings } from '../settings.ts'
import { meanVector } from './mean-vector.ts'
import { searchableAttributes } from './searchable-attributes.ts'

/** Grows whenever the same document would give another entry, so that what is stored counts as out of date. */
const entryVersion = 1

/** A document as structured search knows it, before its chunks have vectors. */
export type EntryText = Omit<StructuredEntry, 'vector'>

/** What an entry is made of besides the vectors of the chunks. */
export interface EntrySource {
  readonly record: Omit<IndexedDocument, 'title'>
  readonly document: Pick<PreparedDocument, 'title' | 'text' | 'attributes'>
}

/**
 * The entry of a document: its title, its whole text and what it is filtered by. Its content hash covers all of these
 * and, by the hash and the version of the document, what its chunks and their vectors were made of; so two entries of one
 * hash are equal, and an entry of another version than the chunks is told by it.
 */
export function entryTextOf({ record, document }: EntrySource, settings: EntrySettings): EntryText {
  const { documentId, tenantId, knowledgeBaseId, createdAt } = record
  const { warnings: _, ...attributes } = searchableAttributes(document.attributes, settings)
  // Half a character, as an escape of a front matter makes one, is refused by engines; places in the text stay the same.
  const title = document.title.toWellFormed()
  const body = document.text.toWellFormed()
  const made = [documentId, tenantId, knowledgeBaseId, createdAt, record.version, record.contentHash]
  const said = [
    attributes.knowledgeType,
    attributes.project ?? null,
    attributes.equipment ?? null,
    attributes.errorCodes
  ]
  const contentHash = createHash('sha256')
    .update(JSON.stringify([entryVersion, made, said, title]))
    .update('\0')
    .update(body)
    .digest('hex')
  return { documentId, tenantId, knowledgeBaseId, ...attributes, title, body, createdAt, contentHash }
}

/** The entry with the direction that its chunks have in common, if they have one. @param vectors of all its chunks */
export function withVector(entry: EntryText, vectors: readonly Float32Array[]): StructuredEntry {
  const vector = meanVector(vectors)
  return vector === undefined ? entry : { ...entry, vector }
}
