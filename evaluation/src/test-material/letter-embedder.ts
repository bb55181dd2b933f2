import type { Embedder, PassageEmbedding, QueryEmbedding } from '@oncall-agent/retrieval'

/**
 * A real, tiny embedder: the direction of a text is the count of its letters, a query is turned a little, so that sides
 * differ. It keeps what it was asked, and can be told to fail.
 */
export class LetterEmbedder implements Embedder {
  readonly fingerprint = { model: 'letters', dimension: 16, normalised: true, tokenizerVersion: '1' }
  readonly limits = { maxTokens: 512, batchSize: 8 }
  readonly keepsTokenVectors = true
  readonly state = 'warm' as const
  /** Texts in the order asked; queries begin with a question mark. */
  readonly asked: string[] = []
  failAfter = Number.POSITIVE_INFINITY

  async warm(): Promise<void> {}

  async embedPassages(texts: readonly string[]): Promise<readonly PassageEmbedding[]> {
    return texts.map((text) => {
      if (this.asked.length >= this.failAfter) throw new Error('out of memory')
      this.asked.push(text)
      return { vector: direction(text, 0), tokenCount: text.length, tokenVectors: Uint8Array.of(text.length % 256, 7) }
    })
  }

  async embedQuery(text: string): Promise<QueryEmbedding> {
    this.asked.push(`? ${text}`)
    return { vector: direction(text, 0.1), tokenCount: text.length, tokenVectors: Float32Array.of(0.25, text.length) }
  }

  async close(): Promise<void> {}
}

function direction(text: string, turn: number): Float32Array {
  const vector = new Float32Array(16).fill(turn)
  for (const letter of text) vector[letter.codePointAt(0)! % 16]! += 1
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
  if (text === '') vector[0] = 1
  return vector.map((value) => value / (text === '' ? 1 : norm))
}
