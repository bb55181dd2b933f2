import { readJsonWeight } from '../weights/weight-files.ts'
import { UnigramModel, type Vocabulary } from './unigram.ts'

const UNKNOWN_ID = 0
const START_ID = 1
const END_ID = 2
/** Unlike E5's, this vocabulary matches its control symbols in text, as the original does. */
const FIRST_PIECE = 0
const WORD_MARK = '\u2581'

export class UseTokenizer {
  readonly #model: UnigramModel

  constructor(vocabulary: Vocabulary) {
    this.#model = new UnigramModel(vocabulary, { unknown: UNKNOWN_ID, firstPiece: FIRST_PIECE })
  }

  /**
   * Start mark, pieces, end mark. A text of blanks alone is one unknown.
   * @param normalised by `normaliseText`
   */
  encode(normalised: string): readonly number[] {
    const text = trimBlanks(normalised)
    if (text === '') return [START_ID, UNKNOWN_ID, END_ID]
    return [START_ID, ...this.#model.segment(WORD_MARK + text.replaceAll(' ', WORD_MARK)).ids, END_ID]
  }
}

/** Blanks only: other white space that NFKC leaves is text to the model. */
function trimBlanks(text: string): string {
  return text.replace(/^ +| +$/g, '')
}

/** @throws PortError corrupt */
export function loadUseTokenizer(folder: string): UseTokenizer {
  return new UseTokenizer(readJsonWeight<Vocabulary>(folder, 'use-vocabulary.json'))
}
