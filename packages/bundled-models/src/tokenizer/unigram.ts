import { PieceTrie } from './piece-trie.ts'

/** A vocabulary file of the weights folder. */
export interface Vocabulary {
  readonly pieces: readonly string[]
  /** Log probability of each piece. */
  readonly scores: readonly number[]
  /** Log probability of an unknown character: that of the full vocabulary, which pruning must not move. */
  readonly unk_score: number
}

export interface Segmentation {
  /** Piece ids in order. */
  readonly ids: readonly number[]
  /** UTF-16 offset behind each piece. */
  readonly ends: readonly number[]
}

const LEAD_FIRST = 0xd800
const LEAD_LAST = 0xdbff
const TRAIL_FIRST = 0xdc00
const TRAIL_LAST = 0xdfff

/** SentencePiece's unigram model: the segmentation with the best sum of log probabilities (Viterbi; Kudo, ACL 2018). */
export class UnigramModel {
  readonly #trie: PieceTrie
  readonly #scores: Float64Array
  readonly #unknownScore: number
  readonly #unknownId: number

  constructor(vocabulary: Vocabulary, ids: { readonly unknown: number; readonly firstPiece: number }) {
    this.#trie = new PieceTrie(vocabulary.pieces, ids.firstPiece)
    this.#scores = Float64Array.from(vocabulary.scores)
    this.#unknownScore = vocabulary.unk_score
    this.#unknownId = ids.unknown
  }

  /** @param text normalised, with word marks in place of blanks. Time and memory linear in its length. */
  segment(text: string): Segmentation {
    const { from, piece } = this.#lattice(text)
    const ids: number[] = []
    const ends: number[] = []
    for (let end = text.length; end > 0; end = from[end]!) {
      ids.push(piece[end]!)
      ends.push(end)
    }
    return { ids: ids.toReversed(), ends: ends.toReversed() }
  }

  /** Number of pieces of `segment(text)`, without building them. */
  count(text: string): number {
    const { from } = this.#lattice(text)
    let count = 0
    for (let end = text.length; end > 0; end = from[end]!) count++
    return count
  }

  /** For each offset: where the best segmentation's last piece starts, and its id. Strictly better wins, as in the original. */
  #lattice(text: string): { from: Int32Array; piece: Int32Array } {
    const length = text.length
    const best = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY)
    const from = new Int32Array(length + 1)
    const piece = new Int32Array(length + 1)
    best[0] = 0
    for (let start = 0; start < length; start += characterWidth(text, start)) {
      const base = best[start]!
      let node = 0
      for (let end = start; end < length;) {
        node = this.#trie.step(node, text.charCodeAt(end++))
        if (node === -1) break
        const id = this.#trie.pieceAt[node]!
        if (id === -1) continue
        const score = base + this.#scores[id]!
        if (score > best[end]!) {
          best[end] = score
          from[end] = start
          piece[end] = id
        }
      }
      const next = start + characterWidth(text, start)
      const unknown = base + this.#unknownScore
      if (unknown > best[next]!) {
        best[next] = unknown
        from[next] = start
        piece[next] = this.#unknownId
      }
    }
    return { from, piece }
  }
}

/** UTF-16 units of the character at `index`: an astral one is never split. */
function characterWidth(text: string, index: number): number {
  const lead = text.charCodeAt(index)
  if (lead < LEAD_FIRST || lead > LEAD_LAST) return 1
  const trail = text.charCodeAt(index + 1)
  return trail >= TRAIL_FIRST && trail <= TRAIL_LAST ? 2 : 1
}
