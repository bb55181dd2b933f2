const OPENS = '<think>'
const CLOSES = '</think>'

/**
 * Takes out the thinking with which some models begin their text, where their server does not send it in a field of its
 * own. Only at the very beginning: further on the same words are part of the answer.
 */
export class ThoughtFilter {
  #state: 'beginning' | 'thinking' | 'answering' = 'beginning'
  #held = ''

  /** What of the text is answer; may be empty. */
  push(piece: string): string {
    if (this.#state === 'answering') return piece
    this.#held += piece
    if (this.#state === 'beginning') {
      const begun = this.#held.trimStart()
      if (begun.length < OPENS.length && OPENS.startsWith(begun)) return ''
      if (!begun.startsWith(OPENS)) return this.#answer(0)
      this.#state = 'thinking'
    }
    const end = this.#held.indexOf(CLOSES)
    if (end >= 0) return this.#answer(end + CLOSES.length)
    // Only the end of what came can be the beginning of the mark.
    this.#held = this.#held.slice(1 - CLOSES.length)
    return ''
  }

  /** What was held back, once nothing follows: a beginning that came to nothing. */
  end(): string {
    return this.#state === 'beginning' ? this.#answer(0) : ''
  }

  #answer(from: number): string {
    const answer = this.#held.slice(from)
    this.#held = ''
    this.#state = 'answering'
    return answer
  }
}
