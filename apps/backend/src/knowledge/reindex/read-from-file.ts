import { extname } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import type { IndexedDocument } from '@oncall-agent/retrieval'
import type { PublishedVersion } from '../../store/index.ts'
import { contentHashOf } from '../document-identity.ts'
import { warnOfAttributes } from '../entry/searchable-attributes.ts'
import type { PreparedDocument } from '../extract/extracted-document.ts'
import { sniffFormat } from '../extract/sniff.ts'
import { readFileBounded } from '../folder/read-file-bounded.ts'
import { placeToPath } from '../folder/resolve-roots.ts'
import { prepareTask } from '../index-task/prepare-task.ts'
import { publishedVersion } from '../index-task/publish-task.ts'
import { publishDocument } from '../publish-document.ts'
import type { Rebuilt } from './rebuilt.ts'
import type { ReindexRun } from './reindex-run.ts'
import type { Target } from './targets.ts'

/**
 * Reads a document anew: an upload from its stored bytes, one of a folder from its file.
 * @throws AppError with a code of one document (it can not be read), or NOT_FOUND when there is no file to read
 */
export function readFromFile(run: ReindexRun, target: Target): Promise<Rebuilt> {
  return target.upload === undefined ? readFolderFile(run, target) : readUpload(run, target)
}

async function readUpload(run: ReindexRun, target: Target): Promise<Rebuilt> {
  const { store } = run.parts
  const document = target.upload!
  const version = await store.documents.version(target.documentId, target.version)
  if (version === undefined) throw noFile(target, `Version ${target.version} of it is not known.`)
  const prepared = await prepareTask(run.parts, { document, version }, run.signal)
  const rebuilt = ready(run, target, { record: prepared.record, document: prepared.prepared })
  const facts = await factsToWrite(run, target, publishedVersion(prepared))
  return facts === undefined ? rebuilt : { ...rebuilt, facts }
}

async function readFolderFile(run: ReindexRun, target: Target): Promise<Rebuilt> {
  const { settings, embedder, extractor } = run.parts
  const old = target.old!
  const { folder } = old.metadata
  if (typeof folder !== 'string') throw noFile(target, 'It came from no file.')
  const { maxFileBytes, maxCharacters, maxChunks } = settings.documents
  const { chunking, entries } = settings
  const bytes = await readFileBounded(placeToPath(folder, old.source), old.source, maxFileBytes)
  const format = sniffFormat(old.source, bytes)
  const { maxTokens } = embedder.limits
  const content = { name: old.source, format, bytes, chunking, maxTokens, maxCharacters, maxChunks }
  const document = warnOfAttributes(await extractor.prepare(content, run.signal), entries)
  const record = {
    ...identityOf(old),
    // What stands in the file now may be another text than the one that was indexed.
    version: old.version + 1,
    contentHash: contentHashOf(bytes, { embedder, chunking, entries, extension: extname(old.source).toLowerCase() }),
    metadata: { ...document.metadata, format, folder }
  }
  return ready(run, target, { record, document })
}

interface Read {
  readonly record: Omit<IndexedDocument, 'title'>
  readonly document: PreparedDocument
}

function ready(run: ReindexRun, target: Target, { record, document }: Read): Rebuilt {
  const { settings } = run.parts
  const { contentHash, version } = record
  return {
    target,
    origin: 'file',
    document,
    contentHash,
    version,
    publish: (embeddings) => publishDocument(run.next.writer, { record, document, embeddings, settings })
  }
}

function identityOf({ documentId, knowledgeBaseId, tenantId, ownerUserId, source, createdAt }: IndexedDocument) {
  return { documentId, knowledgeBaseId, tenantId, ownerUserId, source, createdAt }
}

/**
 * Other settings give other chunks, another release perhaps another text: the facts must say what the index holds.
 * Undefined when they do, or when a task that has not ended is going to write them.
 */
async function factsToWrite(
  { parts }: ReindexRun,
  { upload, documentId, version }: Target,
  published: PublishedVersion
): Promise<PublishedVersion | undefined> {
  if (upload!.indexedVersion !== version) return undefined
  const known = await parts.store.documents.text(documentId, version)
  const isSame = known?.text === published.text && known.title === published.title
  return isSame && upload!.chunkCount === published.chunkCount ? undefined : published
}

function noFile({ documentId, source }: Target, why: string): AppError {
  return new AppError('NOT_FOUND', {
    operation: 'read document anew',
    subject: documentId,
    message: `${source} can not be read anew. ${why}`
  })
}
