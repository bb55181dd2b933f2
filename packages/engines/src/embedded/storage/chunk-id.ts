import { chunkIdOf } from '@oncall-agent/retrieval'

export interface ChunkName {
  readonly documentId: string
  readonly sequence: number
}

/** What a chunk id names, or undefined when it is not written as `chunkIdOf` writes it. */
export function parseChunkId(id: string): ChunkName | undefined {
  const mark = id.lastIndexOf('#')
  if (mark < 0 || !/^[0-9]+$/.test(id.slice(mark + 1))) return undefined
  const name = { documentId: id.slice(0, mark), sequence: Number(id.slice(mark + 1)) }
  return chunkIdOf(name.documentId, name.sequence) === id ? name : undefined
}
