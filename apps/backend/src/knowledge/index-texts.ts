import type { Metadata } from '@oncall-agent/retrieval'
import { type KnowledgeBaseRef, contentHashOf, documentIdOf } from './document-identity.ts'
import { type PreparedDocument, noAttributes } from './extract/extracted-document.ts'
import {
  type ChangedDocument,
  type IndexRun,
  type IndexingDependencies,
  indexDocuments,
  reportFault
} from './index-run.ts'
import { type KnownDocument, listKnown } from './known-documents.ts'
import { acquireRunLock } from '../store/index.ts'
import { type IndexProgress, type IndexReport, RunReport } from './run-report.ts'
import { unreadable } from './unreadable.ts'

/** A document that is given as text, not as a file. */
export interface TextDocument {
  /** The caller's own id; the document's `source` in the index. */
  readonly id: string
  readonly title: string
  readonly text: string
  readonly lang?: string
}

export interface IndexTextsRequest {
  readonly documents: AsyncIterable<TextDocument> | Iterable<TextDocument>
  readonly knowledgeBase: KnowledgeBaseRef
  /** `product`: read as Markdown and cut as files are. `whole`: one chunk, the text as it stands. */
  readonly chunking: 'product' | 'whole'
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
}

/**
 * Puts texts into a knowledge base by the same stages as files; removes nothing. Blank texts are reported as failed.
 * @throws AppError as `indexFolder` does
 */
export async function indexTexts(request: IndexTextsRequest, dependencies: IndexingDependencies): Promise<IndexReport> {
  const report = new RunReport(dependencies.clock ?? Date.now, request.onProgress)
  const run: IndexRun = { dependencies, base: request.knowledgeBase, report, signal: request.signal }
  const lock = dependencies.dataDirectory === undefined ? undefined : acquireRunLock(dependencies.dataDirectory)
  try {
    const known = await listKnown(dependencies.index, run.base)
    report.enter('indexing')
    await indexDocuments(run, changedTexts(run, request, known))
    return report.finish()
  } finally {
    lock?.release()
  }
}

async function* changedTexts(
  run: IndexRun,
  request: IndexTextsRequest,
  known: ReadonlyMap<string, KnownDocument>
): AsyncGenerator<ChangedDocument> {
  const { embedder, settings } = run.dependencies
  for await (const document of request.documents) {
    run.signal?.throwIfAborted()
    const { id: source, title, lang } = document
    const id = documentIdOf(run.base, source)
    const bytes = Buffer.from(document.text, 'utf8')
    const chunking = request.chunking === 'whole' ? 'whole' : settings.chunking
    const contentHash = contentHashOf(bytes, {
      embedder,
      chunking,
      entries: settings.entries,
      title,
      extension: lang ?? ''
    })
    const previous = known.get(id)
    if (previous?.contentHash === contentHash) {
      run.report.unchanged()
      continue
    }
    const metadata: Metadata = lang === undefined ? {} : { lang }
    const about = { id, source, contentHash, previous, metadata }
    if (chunking !== 'whole') {
      const { maxCharacters, maxChunks } = settings.documents
      const { maxTokens } = embedder.limits
      const content = {
        name: source,
        title,
        format: 'markdown',
        bytes,
        chunking,
        maxTokens,
        maxCharacters,
        maxChunks
      } as const
      yield { ...about, content }
    } else if (document.text.trim() !== '') yield { ...about, content: wholeDocument(document) }
    else reportFault(run.report, source, unreadable(source, 'no-text', 'has no text'))
  }
}

function wholeDocument({ title, text }: TextDocument): PreparedDocument {
  const chunks = [{ sequence: 0, headingPath: [], content: text, start: 0, end: text.length }]
  return { title, text, chunks, strategy: 'whole', attributes: noAttributes, metadata: {}, warnings: [] }
}
