import { AppError } from '@oncall-agent/api-contracts'
import { indexTexts, type IndexingDependencies } from '@oncall-agent/backend'
import { type ReadablePair, searchedText } from '@oncall-agent/retrieval'
import type { EvaluationSet } from '../sets/evaluation-set.ts'
import type { Chunking } from './stage-name.ts'

/** The one tenant and knowledge base of an evaluation. */
export const evaluationPair: ReadablePair = { tenantId: 'evaluation', knowledgeBaseId: 'set' }

export interface IndexedSet {
  readonly chunks: number
  /** Documents that the product refuses (blank, headings only): nobody finds them there either. */
  readonly refused: number
  /** The set's own id of a document by its id in the index. */
  readonly setIdOf: ReadonlyMap<string, string>
}

export interface IndexWatch {
  readonly signal: AbortSignal
  readonly onDocuments: (done: number) => void
}

/**
 * Indexes a set's documents by the product's own stages, in the order of their file, which so becomes the corpus order.
 * @throws AppError of the first document that fails for another reason than its own text
 */
export async function indexSet(
  set: EvaluationSet,
  chunking: Chunking,
  dependencies: IndexingDependencies,
  watch: IndexWatch
): Promise<IndexedSet> {
  const report = await indexTexts(
    {
      documents: set.documents,
      knowledgeBase: { ...evaluationPair, ownerUserId: evaluationPair.tenantId },
      chunking,
      signal: watch.signal,
      onProgress: ({ filesDone }) => watch.onDocuments(filesDone)
    },
    dependencies
  )
  const fault = report.failed.find((problem) => problem.code !== 'DOCUMENT_UNREADABLE')
  if (fault !== undefined) {
    throw new AppError(fault.code, {
      operation: 'index an evaluation set',
      subject: fault.path,
      message: fault.message
    })
  }
  const refused = report.failed.map((problem) => problem.path)
  if (chunking === 'whole') await publishBlank(set, new Set(refused), dependencies, watch.signal)
  const listed = await dependencies.index.listDocuments(evaluationPair)
  return {
    chunks: listed.reduce((sum, document) => sum + document.chunks, 0),
    refused: chunking === 'whole' ? 0 : refused.length,
    setIdOf: new Map(listed.map((document) => [document.documentId, document.source]))
  }
}

/**
 * The product refuses a document without text, but a reference counts it: without it N and with it every idf would be
 * off by a little, and figures would not agree to three digits. Its title can be found.
 */
async function publishBlank(
  set: EvaluationSet,
  refused: ReadonlySet<string>,
  { index, embedder }: IndexingDependencies,
  signal: AbortSignal
): Promise<void> {
  const blank = set.documents.filter((document) => refused.has(document.id))
  const embeddings = await embedder.embedPassages(
    blank.map(({ title }) => searchedText({ title, headingPath: [], content: '' })),
    signal
  )
  for (const [position, { id, title }] of blank.entries()) {
    const document = {
      documentId: `blank-${position}`,
      ...evaluationPair,
      ownerUserId: evaluationPair.tenantId,
      version: 1,
      title,
      source: id,
      createdAt: Date.now(),
      contentHash: id,
      metadata: {}
    }
    const chunk = {
      sequence: 0,
      headingPath: [],
      content: '',
      start: 0,
      end: 0,
      metadata: {},
      ...embeddings[position]!
    }
    await index.replaceDocument(document, [chunk])
  }
}
