import { AppError } from '@oncall-agent/api-contracts'
import type { DocumentWriter, EvidenceAnswer, ReadablePair } from '@oncall-agent/retrieval'
import { LOCAL_TENANT, localReader } from '../auth/index.ts'
import type { IndexRequest, IndexWatch, RetrieveRequest } from '../cli/index.ts'
import {
  createDocumentExtractor,
  type ForgetReport,
  forgetPaths,
  type IndexReport,
  indexFolder,
  resolveRoots
} from '../knowledge/index.ts'
import { translatePortError } from '../observability/index.ts'
import type { RunRecord } from '../search/index.ts'
import { baseName } from './base-name.ts'
import { expectData, nothingIndexed } from './data-folder.ts'
import { entryCopyOf } from './entry-copy-of.ts'
import { knowledgeSettings } from './knowledge-settings.ts'
import type { Parts } from './parts.ts'
import { searchOf } from './search-of.ts'

export async function indexFolderLocally(
  parts: Parts,
  { paths, knowledgeBase }: IndexRequest,
  { signal, onProgress }: IndexWatch
): Promise<IndexReport> {
  // Before a data folder is made: a mistyped path must not leave one that looks as if something were in it.
  const name = baseName(knowledgeBase)
  await resolveRoots(paths)
  const knowledge = knowledgeSettings(parts.settings)
  const extractor = createDocumentExtractor({ limits: knowledge.extraction, tokenCounter: parts.tokenCounter })
  try {
    const base = await (await parts.store.get()).knowledgeBases.ensure(LOCAL_TENANT, name)
    const { writer, structured: entries } = await parts.index.get()
    const target = { knowledgeBaseId: base.id, tenantId: LOCAL_TENANT, ownerUserId: LOCAL_TENANT }
    const { embedder, dataDirectory } = parts
    const copy = await entryCopyOf(parts)
    return await indexFolder(
      { paths, knowledgeBase: target, signal, onProgress },
      { index: writer, entries, embedder, extractor, settings: knowledge, dataDirectory, ...copy }
    )
  } catch (thrown) {
    throw translatePortError(thrown)
  } finally {
    extractor.close()
  }
}

export async function forgetLocally(parts: Parts, { paths, knowledgeBase }: IndexRequest): Promise<ForgetReport> {
  expectData(parts)
  const { userId, readable } = await localReader(await parts.store.get(), [baseName(knowledgeBase)])
  const { dataDirectory, index } = parts
  const { writer } = await index.get()
  // A name that names nothing was refused above.
  const { copy } = await entryCopyOf(parts)
  return forgetPaths({ paths, knowledgeBase: { ...readable[0]!, ownerUserId: userId }, dataDirectory }, writer, copy)
}

export async function retrieveLocally(
  parts: Parts,
  { query, topK, knowledgeBases, documentIds, metadata }: RetrieveRequest,
  signal: AbortSignal
): Promise<EvidenceAnswer> {
  expectData(parts)
  // Opened first: on the command line a damaged or newer index is told as what it is.
  const index = await parts.index.get()
  const caller = await localReader(await parts.store.get(), knowledgeBases.map(baseName))
  const filters = {
    ...(documentIds.length === 0 ? {} : { documentIds }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata })
  }
  const search = await searchOf(parts)
  const answer = await search.toolFor(caller)({ query, ...(topK === undefined ? {} : { topK }), filters }, signal)
  if (answer.results.length > 0) return answer
  if (caller.readable.length === 0 || (await index.size()).chunks === 0) throw nothingIndexed(parts)
  await expectDocuments(index.writer, caller.readable, documentIds)
  return answer
}

/** "Nothing found" in a document that does not exist would read like "nothing is written about it". */
async function expectDocuments(
  writer: DocumentWriter,
  readable: readonly ReadablePair[],
  documentIds: readonly string[]
): Promise<void> {
  if (documentIds.length === 0) return
  const listed = await Promise.all(readable.map((pair) => writer.listDocuments(pair)))
  const known = new Set(listed.flat().map(({ documentId }) => documentId))
  const missing = documentIds.find((documentId) => !known.has(documentId))
  if (missing === undefined) return
  throw new AppError('NOT_FOUND', {
    operation: 'choose document',
    subject: missing,
    message: `There is no document ${missing} in what was asked.`,
    hint: 'Every piece of evidence names its document; --kb may leave it out.'
  })
}

export async function recordedRun({ store }: Parts, runId: string): Promise<RunRecord | undefined> {
  const run = await (await store.get()).runs.find(LOCAL_TENANT, runId)
  return run?.record as RunRecord | undefined
}
