import { createHash } from 'node:crypto'
import { AppError } from '@oncall-agent/api-contracts'
import { chunkIdOf, type StoredChunk } from '@oncall-agent/retrieval'
import { entryTextOf, withVector } from '../entry/document-entry.ts'
import { throughPort } from '../port-failure.ts'
import type { Rebuilt } from './rebuilt.ts'
import type { ReindexRun } from './reindex-run.ts'
import type { Target } from './targets.ts'
import { textOfCopy } from './text-of-copy.ts'

/** Chunks of one question: some hundred kilobytes of text. */
const BATCH = 256

/**
 * Takes a document out of the old index as it was cut then, to be embedded anew.
 * @throws AppError DATA_CORRUPT when the old index does not hold all of it
 */
export async function readFromOldIndex(run: ReindexRun, target: Target): Promise<Rebuilt> {
  const chunks = await chunksOf(run, target)
  const { old } = target
  const whole = old !== undefined && chunks.length === old.chunks && chunks.length > 0
  if (!whole || chunks.some(({ document }) => document.version !== old.version)) throw incomplete(target)
  const { document } = chunks[0]!
  const text = await textOfCopy(run, target, chunks)
  const contentHash = hashOfCopy(run, document.contentHash)
  const record = { ...document, contentHash }
  const { writer } = run.next
  return {
    target,
    origin: 'old index',
    document: { title: document.title, chunks },
    contentHash,
    version: document.version,
    publish: (embeddings) => {
      const anew = chunks.map(({ sequence, headingPath, content, start, end, metadata }, at) => {
        const place = { sequence, headingPath, content, start, end, metadata }
        return { ...place, ...embeddings[at]! }
      })
      const entry = withVector(
        entryTextOf({ record, document: text }, run.parts.settings.entries),
        embeddings.map(({ vector }) => vector)
      )
      return throughPort(() => writer.replaceDocument(record, anew, entry))
    }
  }
}

async function chunksOf({ old }: ReindexRun, target: Target): Promise<readonly StoredChunk[]> {
  const { documentId, tenantId, knowledgeBaseId } = target
  const count = target.old?.chunks ?? 0
  const chunks: StoredChunk[] = []
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from)
    const chunkIds = Array.from({ length }, (_, at) => chunkIdOf(documentId, from + at))
    const scope = { pairs: [{ tenantId, knowledgeBaseId }] }
    const request = { chunkIds, scope, withVectors: false, withTokenVectors: false }
    chunks.push(...(await throughPort(() => old.chunks.read(request))))
  }
  return chunks
}

/** Never the hash of a file's bytes: when the file is back, `oncall index` reads it again. */
function hashOfCopy({ parts }: ReindexRun, contentHash: string): string {
  const { fingerprint, keepsTokenVectors } = parts.embedder
  const { model, dimension, normalised, tokenizerVersion } = fingerprint
  const stated = ['copy', contentHash, model, dimension, normalised, tokenizerVersion, keepsTokenVectors]
  return createHash('sha256').update(JSON.stringify(stated)).digest('hex')
}

function incomplete({ documentId, source }: Target): AppError {
  return new AppError('DATA_CORRUPT', {
    operation: 'read old index',
    subject: documentId,
    message: `${source} is not whole in the old index.`
  })
}
