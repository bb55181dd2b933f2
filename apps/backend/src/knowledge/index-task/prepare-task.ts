import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { AppError, type DocumentAttributes } from '@oncall-agent/api-contracts'
import type { IndexedDocument } from '@oncall-agent/retrieval'
import { contentHashOf } from '../document-identity.ts'
import { type EntryText, entryTextOf } from '../entry/document-entry.ts'
import { warnOfAttributes } from '../entry/searchable-attributes.ts'
import type { PreparedDocument } from '../extract/extracted-document.ts'
import { readStored, storedFile } from '../document-files.ts'
import type { IndexTaskParts } from '../knowledge-parts.ts'
import { knownAttributes, mergeAttributes } from './merge-attributes.ts'
import type { OpenTask } from './open-task.ts'

/** A version that is read and cut, and how the index will know it. */
export interface PreparedVersion {
  readonly prepared: PreparedDocument
  readonly attributes: DocumentAttributes
  readonly record: Omit<IndexedDocument, 'title'>
  /** What structured search will know of it. */
  readonly entry: EntryText
}

export interface PreparedTask extends OpenTask, PreparedVersion {}

type VersionToPrepare = Pick<OpenTask, 'document' | 'version'>
type PrepareParts = Pick<IndexTaskParts, 'embedder' | 'settings' | 'extractor' | 'dataDirectory'>

/**
 * Reads the stored bytes and cuts them, in the child process. What the form said wins over the document's own words.
 * @throws AppError DOCUMENT_UNREADABLE, PAYLOAD_TOO_LARGE, DATA_CORRUPT when the stored file is not what was uploaded
 */
export async function prepareTask<Of extends VersionToPrepare>(
  parts: PrepareParts,
  opened: Of,
  signal: AbortSignal
): Promise<Of & PreparedVersion> {
  const { embedder, settings, extractor } = parts
  const { document, version } = opened
  const { form, fileName, format } = version
  const { maxFileBytes, maxCharacters, maxChunks } = settings.documents
  const bytes = await readStored(storedFile(parts.dataDirectory, version), fileName, maxFileBytes)
  if (createHash('sha256').update(bytes).digest('hex') !== version.sha256) throw damaged(opened)
  const { chunking, entries } = settings
  const { maxTokens } = embedder.limits
  const title = form.title === undefined ? {} : { title: form.title }
  const content = { name: fileName, format, bytes, chunking, maxTokens, maxCharacters, maxChunks, ...title }
  const read = await extractor.prepare(content, signal)

  // Whatever decides chunks or their metadata is in the hash: equal means that publishing again would change nothing.
  const attributes = mergeAttributes(form, read.attributes, read.text)
  const prepared = warnOfAttributes({ ...read, attributes: knownAttributes(attributes) }, entries)
  const conditions = {
    embedder,
    chunking,
    entries,
    extension: extname(fileName).toLowerCase(),
    form: { fileName, ...form }
  }
  const record = {
    documentId: document.id,
    knowledgeBaseId: document.knowledgeBaseId,
    tenantId: document.tenantId,
    ownerUserId: document.ownerUserId,
    version: version.version,
    source: fileName,
    createdAt: document.createdAt,
    contentHash: contentHashOf(bytes, conditions),
    metadata: { ...prepared.metadata, format }
  }
  return { ...opened, prepared, attributes, record, entry: entryTextOf({ record, document: prepared }, entries) }
}

/** A disk that lies, or somebody who edited the data folder: indexing it would show what nobody uploaded. */
function damaged({ document, version }: VersionToPrepare): AppError {
  return new AppError('DATA_CORRUPT', {
    operation: 'read stored file',
    subject: document.id,
    message: `The stored file of ${version.fileName} is not what was uploaded.`,
    hint: 'Upload the document again.'
  })
}
