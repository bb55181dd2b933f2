import type { MetadataValue, StoredChunk } from '@oncall-agent/retrieval'
import type { EntrySource } from '../entry/document-entry.ts'
import type { KnowledgeAttributes } from '../extract/extracted-document.ts'
import { knownAttributes } from '../index-task/merge-attributes.ts'
import { throughPort } from '../port-failure.ts'
import type { ReindexRun } from './reindex-run.ts'
import type { Target } from './targets.ts'

/**
 * Text and attributes of a document whose file can not be read any more: by the facts; else as its old entry has them;
 * else, of an index without entries, what its chunks hold.
 * @param chunks all of them, in order
 */
export async function textOfCopy(
  { parts, old }: ReindexRun,
  { documentId, tenantId, knowledgeBaseId, upload }: Target,
  chunks: readonly StoredChunk[]
): Promise<EntrySource['document']> {
  const { title, version } = chunks[0]!.document
  if (upload?.indexedVersion === version) {
    const known = await parts.store.documents.text(documentId, version)
    if (known !== undefined) return { title, text: known.text, attributes: knownAttributes(upload.attributes) }
  }
  const entry = await throughPort(() => old.entry({ tenantId, knowledgeBaseId }, documentId))
  const attributes = attributesOf(chunks[0]!, entry?.errorCodes ?? [])
  return { title, text: entry?.body ?? textOfChunks(chunks), attributes }
}

/** As the document gave them: an entry has a configured type in the place of one that was not. */
function attributesOf({ metadata }: StoredChunk, errorCodes: readonly string[]): KnowledgeAttributes {
  const { knowledgeType, project, equipment } = metadata
  return {
    ...(isText(knowledgeType) ? { knowledgeType } : {}),
    ...(isText(project) ? { project } : {}),
    ...(isText(equipment) ? { equipment } : {}),
    errorCodes
  }
}

function isText(value: MetadataValue | undefined): value is string {
  return typeof value === 'string'
}

/** The text between the chunks is not kept: lines without words stand for it, so that every offset stays true. */
function textOfChunks(chunks: readonly StoredChunk[]): string {
  let text = ''
  for (const { content, start, end } of chunks) {
    if (end <= text.length) continue
    // A part of a table is preceded by the table's header.
    const own = content.slice(Math.max(0, content.length - (end - start)))
    text = text.padEnd(start, '\n')
    text += own.slice(text.length - start)
  }
  return text
}
