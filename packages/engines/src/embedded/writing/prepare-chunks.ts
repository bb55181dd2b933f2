import { PortError, searchedText, tokenize } from '@oncall-agent/retrieval'
import type { ChunkToPublish, IndexedDocument, Metadata } from '@oncall-agent/retrieval'
import { metadataTerm, termOf } from '../postings/term.ts'
import { MAX_SEQUENCES } from '../storage/keys.ts'
import { quantiseRows } from '../vectors/quantise.ts'
import type { RowTerm } from '../postings/posting-row.ts'

/** All of a document that does not depend on where it goes: worked out before the write lock is taken. */
export interface PreparedChunks {
  readonly chunks: readonly ChunkToPublish[]
  /** Tokens of each chunk's searched text, plus one. */
  readonly lengths: Uint32Array
  readonly terms: readonly RowTerm[]
  readonly quantised: Uint8Array
}

/** @throws PortError invalid-argument */
export function prepareChunks(
  document: IndexedDocument,
  chunks: readonly ChunkToPublish[],
  dimension: number
): PreparedChunks {
  checkDocument(document, chunks, dimension)
  const lengths = new Uint32Array(chunks.length)
  const postings = new Map<string, number[]>()
  for (const [position, chunk] of chunks.entries()) {
    const { headingPath, content } = chunk
    const tokens = tokenize(searchedText({ title: document.title, headingPath, content }))
    lengths[position] = tokens.length + 1
    for (const token of tokens) countTerm(postings, token, position)
    // A filter sees the document's metadata overlaid by the chunk's.
    for (const [name, value] of Object.entries({ ...document.metadata, ...chunk.metadata })) {
      countTerm(postings, metadataTerm(name, value), position)
    }
  }
  const terms = Array.from(postings, ([text, flat]) => ({ ...termOf(text), flat }))
  const vectors = chunks.map((chunk) => chunk.vector)
  return { chunks, lengths, terms, quantised: quantiseRows(vectors, dimension) }
}

/** Positions come in order, so the last pair is the position's own if it has the term already. */
export function countTerm(postings: Map<string, number[]>, text: string, position: number): void {
  const flat = postings.get(text)
  if (flat === undefined) postings.set(text, [position, 1])
  else if (flat[flat.length - 2] === position) flat[flat.length - 1]!++
  else flat.push(position, 1)
}

function checkDocument(document: IndexedDocument, chunks: readonly ChunkToPublish[], dimension: number): void {
  const refuse = (reason: string) => {
    throw new PortError('invalid-argument', {
      operation: 'replace document',
      subject: document.documentId,
      reason,
      hint: 'The index keeps what it had of this document.'
    })
  }
  if (document.documentId === '') refuse('the document has no id')
  if (!isPlain(document.metadata)) refuse('its metadata has a number that is not finite')
  const sequences = new Set<number>()
  for (const chunk of chunks) {
    const { sequence, vector } = chunk
    if (!Number.isInteger(sequence) || sequence < 0 || sequence >= MAX_SEQUENCES) {
      refuse(`sequence ${sequence} is not a whole number from 0 to ${MAX_SEQUENCES - 1}`)
    }
    if (sequences.has(sequence)) refuse(`two chunks have the sequence ${sequence}`)
    sequences.add(sequence)
    if (vector.length !== dimension) {
      refuse(`the vector of chunk ${sequence} is ${vector.length} wide, and the index is ${dimension} wide`)
    }
    if (!vector.every(Number.isFinite)) refuse(`the vector of chunk ${sequence} has a number that is not finite`)
    if (!isPlain(chunk.metadata)) refuse(`the metadata of chunk ${sequence} has a number that is not finite`)
  }
}

/** JSON would turn NaN into null, which a filter could then never find nor leave out. */
function isPlain(metadata: Metadata): boolean {
  return Object.values(metadata).every((value) => typeof value !== 'number' || Number.isFinite(value))
}
