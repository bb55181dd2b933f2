import type { ChunkToPublish, StructuredEntry } from '@oncall-agent/retrieval'

type PlainChunk = Omit<ChunkToPublish, 'vector' | 'tokenVectors'>

/**
 * Chunks for the writer thread with their numbers in two buffers of their own. Vectors are often views on one large batch,
 * and a message would copy the whole batch once for each of them.
 */
export interface PackedChunks {
  readonly chunks: readonly PlainChunk[]
  readonly vectors: Float32Array<ArrayBuffer>
  /** Of each chunk, since a wrong width must be found by the writer and not hidden by packing. */
  readonly widths: readonly number[]
  readonly tokenVectors: Uint8Array<ArrayBuffer>
  /** Bytes of each chunk; -1 where it has none. */
  readonly tokenVectorBytes: readonly number[]
}

const NO_TOKEN_VECTORS = -1

export function packChunks(chunks: readonly ChunkToPublish[]): PackedChunks {
  const widths = chunks.map((chunk) => chunk.vector.length)
  const tokenVectorBytes = chunks.map((chunk) => chunk.tokenVectors?.byteLength ?? NO_TOKEN_VECTORS)
  const vectors = new Float32Array(sum(widths))
  const tokenVectors = new Uint8Array(sum(tokenVectorBytes.map((bytes) => Math.max(0, bytes))))
  let nextVector = 0
  let nextBytes = 0
  const plain = chunks.map((chunk): PlainChunk => {
    vectors.set(chunk.vector, nextVector)
    nextVector += chunk.vector.length
    if (chunk.tokenVectors !== undefined) {
      tokenVectors.set(chunk.tokenVectors, nextBytes)
      nextBytes += chunk.tokenVectors.byteLength
    }
    const { sequence, headingPath, content, start, end, metadata, tokenCount } = chunk
    return { sequence, headingPath, content, start, end, metadata, tokenCount }
  })
  return { chunks: plain, vectors, widths, tokenVectors, tokenVectorBytes }
}

export function unpackChunks(packed: PackedChunks): ChunkToPublish[] {
  let nextVector = 0
  let nextBytes = 0
  return packed.chunks.map((chunk, index) => {
    const vector = packed.vectors.subarray(nextVector, (nextVector += packed.widths[index]!))
    const bytes = packed.tokenVectorBytes[index]!
    if (bytes === NO_TOKEN_VECTORS) return { ...chunk, vector }
    return { ...chunk, vector, tokenVectors: packed.tokenVectors.subarray(nextBytes, (nextBytes += bytes)) }
  })
}

/** An entry whose vector has a buffer of its own, for the same reason. */
export function packEntry(entry: StructuredEntry): StructuredEntry {
  return entry.vector === undefined ? entry : { ...entry, vector: entry.vector.slice() }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
