/** Least digits of the sequence in a chunk id. */
const SEQUENCE_DIGITS = 4

export interface ChunkName {
  readonly documentId: string
  readonly sequence: number
}

export function chunkId(documentId: string, sequence: number): string {
  return `${documentId}#${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
}

/** What a chunk id names, or undefined when it is not written as `chunkId` writes it. */
export function parseChunkId(id: string): ChunkName | undefined {
  const mark = id.lastIndexOf('#')
  if (mark < 0 || !/^[0-9]+$/.test(id.slice(mark + 1))) return undefined
  const name = { documentId: id.slice(0, mark), sequence: Number(id.slice(mark + 1)) }
  return chunkId(name.documentId, name.sequence) === id ? name : undefined
}
