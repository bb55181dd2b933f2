import { AppError } from '@oncall-agent/api-contracts'
import type { DocumentWriter, Embedder, Metadata, StructuredIndex } from '@oncall-agent/retrieval'
import type { KnowledgeBaseRef } from './document-identity.ts'
import { embedDocuments } from './embed-documents.ts'
import type { EntryCopy } from './entry/follow-index.ts'
import { warnOfAttributes } from './entry/searchable-attributes.ts'
import type { PrepareRequest } from './extract/child/protocol.ts'
import type { DocumentExtractor } from './extract/document-extractor.ts'
import type { PreparedDocument } from './extract/extracted-document.ts'
import { inOrder } from './in-order.ts'
import type { KnownDocument } from './known-documents.ts'
import { publishDocument } from './publish-document.ts'
import type { RunReport } from './run-report.ts'
import type { KnowledgeSettings } from './settings.ts'

/** What indexing works with; made once by whoever composes the process. */
export interface IndexingDependencies {
  readonly index: DocumentWriter
  readonly embedder: Embedder
  readonly extractor: DocumentExtractor
  readonly settings: KnowledgeSettings
  /** Of the same index: a document without an entry is indexed again. Not asked when absent. */
  readonly entries?: Pick<StructuredIndex, 'listDocuments'>
  /** Absent where structured search looks in the index itself. */
  readonly copy?: EntryCopy
  /** Milliseconds since the epoch; the system's when absent. */
  readonly clock?: () => number
  /** Holds the lock that keeps two runs apart; absent for an index that no other process can reach. */
  readonly dataDirectory?: string
}

/** One run of indexing. */
export interface IndexRun {
  readonly dependencies: IndexingDependencies
  readonly base: KnowledgeBaseRef
  readonly report: RunReport
  readonly signal: AbortSignal | undefined
}

/** A document that is new or has changed. */
export interface ChangedDocument {
  readonly id: string
  /** Where people find it. */
  readonly source: string
  readonly contentHash: string
  readonly metadata: Metadata
  readonly previous: KnownDocument | undefined
  /** Still to be read by the extractor, or already one piece. */
  readonly content: PrepareRequest | PreparedDocument
}

interface ReadyDocument {
  readonly changed: ChangedDocument
  readonly document: PreparedDocument
}

/** Extract and chunk, embed, publish: what every changed document goes through, each stage while the next is busy. */
export async function indexDocuments(run: IndexRun, changed: AsyncIterable<ChangedDocument>): Promise<void> {
  const { embedder, settings } = run.dependencies
  // One more than there are processes: the next document is at hand when one becomes free.
  const prepared = inOrder(changed, settings.extraction.processes + 1, (document) => prepare(run, document))
  const onEmbedded = (chunks: number): void => run.report.embedded(chunks)
  const embedded = embedDocuments(readable(prepared), { embedder, signal: run.signal, onEmbedded })
  const nextCreation = corpusClock(run.dependencies.clock ?? Date.now)
  for await (const { item, embeddings } of embedded) {
    const { changed: document } = item
    const { id, contentHash, source, previous } = document
    await publishDocument(run.dependencies.index, {
      record: {
        ...run.base,
        documentId: id,
        source,
        contentHash,
        version: (previous?.version ?? 0) + 1,
        createdAt: previous?.createdAt ?? nextCreation(),
        metadata: { ...item.document.metadata, ...document.metadata }
      },
      document: item.document,
      embeddings,
      settings
    })
    run.report.warn(source, item.document.warnings)
    run.report.published(previous === undefined ? 'indexed' : 'replaced', embeddings.length)
  }
}

/** A document that cannot be read is reported, and the run goes on; nothing else is swallowed. */
async function prepare(run: IndexRun, changed: ChangedDocument): Promise<ReadyDocument | undefined> {
  if ('chunks' in changed.content) return { changed, document: changed.content }
  run.report.begin(changed.source)
  try {
    const { extractor, settings } = run.dependencies
    const document = await extractor.prepare(changed.content, run.signal)
    return { changed, document: warnOfAttributes(document, settings.entries) }
  } catch (error) {
    reportFault(run.report, changed.source, error)
    return undefined
  }
}

/** Takes down an error that concerns one document only. @throws every other error again */
export function reportFault(report: RunReport, source: string, error: unknown): void {
  const ofOneDocument: readonly string[] = [
    'DOCUMENT_UNREADABLE',
    'PAYLOAD_TOO_LARGE',
    'PATH_UNREADABLE',
    'UNSUPPORTED_MEDIA_TYPE'
  ]
  if (!(error instanceof AppError) || !ofOneDocument.includes(error.code)) throw error
  report.fail(source, error)
}

async function* readable(prepared: AsyncIterable<ReadyDocument | undefined>): AsyncGenerator<ReadyDocument> {
  for await (const ready of prepared) if (ready !== undefined) yield ready
}

/** Creation times that grow by at least a millisecond, so that the corpus order is the order of indexing. */
function corpusClock(clock: () => number): () => number {
  let last = 0
  return () => (last = Math.max(Math.floor(clock()), last + 1))
}
