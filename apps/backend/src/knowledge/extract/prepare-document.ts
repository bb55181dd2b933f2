import { basename, extname } from 'node:path'
import { type ChunkSlice, type ChunkStrategy, chunkDocument } from '@oncall-agent/retrieval'
import { tooLarge, unreadable } from '../unreadable.ts'
import type { TokenCounter } from './child/count-tokens.ts'
import type { PrepareRequest } from './child/protocol.ts'
import { extractDocument } from './extract-document.ts'
import type { Extraction, PreparedDocument } from './extracted-document.ts'

/** A title is part of every chunk's searched text, so it may not fill the embedder's window. */
const maxTitleLength = 200

/**
 * Reads one document and cuts it: decode, extract, chunk. Runs in the child process.
 * @throws AppError DOCUMENT_UNREADABLE, PAYLOAD_TOO_LARGE
 */
export async function prepareDocument(request: PrepareRequest, countTokens: TokenCounter): Promise<PreparedDocument> {
  const extraction = await extractDocument(request)
  if (extraction.text.length > request.maxCharacters) {
    throw tooLarge(request.name, 'characters of text', request.maxCharacters, extraction.text.length)
  }
  const title = titleOf(request, extraction)
  const chunks = cut(request, extraction, title, countTokens)
  if (chunks.length > request.maxChunks) throw tooLarge(request.name, 'chunks', request.maxChunks, chunks.length)
  if (chunks.length === 0) throw nothingToFind(request.name, extraction)
  const { text, attributes, metadata, warnings } = extraction
  return { title, text, chunks, strategy: strategyFor(request), attributes, metadata, warnings }
}

function titleOf(request: PrepareRequest, extraction: Extraction): string {
  const file = basename(request.name.replaceAll('\\', '/'))
  const stem = file.slice(0, file.length - extname(file).length)
  const title = (request.title ?? extraction.title ?? stem).replace(/\s+/g, ' ').trim()
  return Array.from(title).slice(0, maxTitleLength).join('')
}

function cut(request: PrepareRequest, extraction: Extraction, title: string, countTokens: TokenCounter): ChunkSlice[] {
  const { size, overlap, unit } = request.chunking
  return chunkDocument(extraction, {
    strategy: strategyFor(request),
    size,
    overlap,
    measure: unit === 'tokens' ? countTokens : (text) => text.length,
    bound: { countTokens, max: request.maxTokens },
    title
  })
}

function strategyFor({ chunking, format }: PrepareRequest): ChunkStrategy {
  if (chunking.strategy !== 'auto') return chunking.strategy
  return format === 'text' || format === 'pdf' ? 'paragraph' : 'markdown'
}

/** A document without chunks would count as indexed and never be found: it is refused, with what it does hold. */
function nothingToFind(name: string, extraction: Extraction): Error {
  if (extraction.blocks.some((block) => block.kind === 'heading')) {
    return unreadable(name, 'headings-only', 'has headings but no text under them')
  }
  return unreadable(name, 'no-text', 'has no text: it is blank, or holds only comments, markup or front matter')
}
