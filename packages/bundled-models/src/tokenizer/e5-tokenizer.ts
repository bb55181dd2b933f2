import { readJsonWeight } from '../weights/weight-files.ts'
import { normaliseText } from './normalise-text.ts'
import { UnigramModel, type Vocabulary } from './unigram.ts'

/** What a text is to E5; the model was trained with a different prefix for each. */
export type TextRole = 'query' | 'passage'

/** Positions that E5 knows; input is cut there, the end mark kept. */
export const E5_MAX_TOKENS = 512

const START_ID = 0
const END_ID = 2
const UNKNOWN_ID = 3
const FIRST_PIECE = 4
const WORD_MARK = '\u2581'

interface Prefix {
  /** Normalised, with the leading blank that every text gets. */
  readonly text: string
  /** Pieces that belong to the prefix alone. */
  readonly pieces: number
}

const PREFIXES: Readonly<Record<TextRole, Prefix>> = {
  query: { text: ' query: ', pieces: 3 },
  passage: { text: ' passage: ', pieces: 2 }
}

export interface E5Input {
  /** Start mark, prefix, text, end mark; at most `E5_MAX_TOKENS`. */
  readonly ids: readonly number[]
  /** First id of the text itself: behind start mark and prefix. */
  readonly textFrom: number
  /** Count of all ids before the cut. */
  readonly tokenCount: number
  /** The normalised text without the prefix, cut where the ids are cut. */
  readonly text: string
}

export class E5Tokenizer {
  readonly #model: UnigramModel

  constructor(vocabulary: Vocabulary) {
    this.#model = new UnigramModel(vocabulary, { unknown: UNKNOWN_ID, firstPiece: FIRST_PIECE })
  }

  encode(text: string, role: TextRole): E5Input {
    const prefix = PREFIXES[role]
    const whole = withPrefix(text, prefix)
    const { ids, ends } = this.#model.segment(marked(whole))
    const kept = Math.min(ids.length, E5_MAX_TOKENS - 2)
    const end = kept === ids.length ? whole.length : ends[kept - 1]!
    return {
      ids: [START_ID, ...ids.slice(0, kept), END_ID],
      textFrom: 1 + prefix.pieces,
      tokenCount: ids.length + 2,
      text: whole.slice(prefix.text.length, end)
    }
  }

  /** `encode(text, role).tokenCount`, cheaper. */
  count(text: string, role: TextRole): number {
    return this.#model.count(marked(withPrefix(text, PREFIXES[role]))) + 2
  }
}

/** The prefix ends in a blank, so blanks at the start of the text fold into it. */
function withPrefix(text: string, prefix: Prefix): string {
  const normal = normaliseText(text)
  return prefix.text + (normal.startsWith(' ') ? normal.slice(1) : normal)
}

function marked(text: string): string {
  return text.replaceAll(' ', WORD_MARK)
}

const loaded = new Map<string, E5Tokenizer>()

/** Read and checked once a process and folder (about 60 ms). @throws PortError corrupt */
export function loadE5Tokenizer(folder: string): E5Tokenizer {
  let tokenizer = loaded.get(folder)
  if (tokenizer === undefined) {
    tokenizer = new E5Tokenizer(readJsonWeight<Vocabulary>(folder, 'e5-vocabulary.json'))
    loaded.set(folder, tokenizer)
  }
  return tokenizer
}
